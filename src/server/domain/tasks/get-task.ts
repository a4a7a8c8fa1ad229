import { limits } from '../../../contract/limits.ts'
import type { GetTaskAsMember, MemberTaskRecord } from '../../../contract/task.ts'
import { priorities } from '../../../contract/task-fields.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { listOpenTasksOfThread } from '../../storage/inbox/inbox.ts'
import { findSnooze } from '../../storage/inbox/snoozes.ts'
import { listRevisions } from '../../storage/tasks/conversation.ts'
import { listNotes } from '../../storage/tasks/notes.ts'
import { findTask, findTaskBatched, findTaskContent, type TaskRow } from '../../storage/tasks/tasks.ts'
import { listUpdates } from '../../storage/tasks/updates.ts'
import type { Actor } from '../actor.ts'
import { invalidRequest, notFound } from '../problems.ts'
import { loadReview } from '../review/load-review.ts'
import type { Service } from '../service.ts'
import { requireAccess } from './key-limits.ts'
import { presentNote, presentRevision, presentTaskTo, presentUpdate } from './present-task.ts'
import { loadSentOptions } from './sent-options.ts'

/**
 * With `waitSeconds`, waits until the task has left `open` or has a newer question than
 * `afterQuestion` without a reply. The wait also ends when the time is up, the caller disconnects
 * or the service drains.
 */
export async function getTask(
  service: Service,
  actor: Actor,
  taskId: string,
  { include = [], waitSeconds = 0, afterQuestion }: GetTaskAsMember,
  signal?: AbortSignal,
): Promise<MemberTaskRecord> {
  const read = () => loadRecord(service, actor, taskId, include)
  if (waitSeconds === 0) return await read()
  const afterNumber = await questionNumber(afterQuestion, () => findAccessible(service, actor, taskId))
  return await readAfterChange(service, { taskId, afterNumber, seconds: waitSeconds, signal }, read, (task) =>
    endsWait(task.status, task.questions?.map(({ answer }) => answer !== undefined) ?? [], afterNumber),
  )
}

/**
 * Waits like `getTask`. Returns the status, and of the questions after `afterQuestion` the newest
 * one without a reply. For our own MCP server, which has already checked access to the task.
 */
export async function waitForTask(
  service: Service,
  workspaceId: string,
  taskId: string,
  { waitSeconds, afterQuestion }: { waitSeconds: number; afterQuestion?: string | undefined },
  signal: AbortSignal,
): Promise<{ status: TaskRow['status']; question: string | undefined }> {
  const read = () => findRow(service, workspaceId, taskId)
  const afterNumber = await questionNumber(afterQuestion, read)
  const wait = { taskId, afterNumber, seconds: waitSeconds, signal }
  const row = await readAfterChange(service, wait, read, (task) =>
    endsWait(task.status, task.questions?.map(({ updateId }) => updateId !== null) ?? [], afterNumber),
  )
  const newer = row.questions?.slice(afterNumber)
  return { status: row.status, question: newer?.findLast(({ updateId }) => updateId === null)?.id }
}

/** The number of a question in its task, counted from 1. Without a question, 0. */
async function questionNumber(questionId: string | undefined, find: () => Promise<TaskRow>): Promise<number> {
  if (questionId === undefined) return 0
  const { questions } = await find()
  const index = questions?.findIndex(({ id }) => id === questionId) ?? -1
  if (index === -1) {
    throw invalidRequest([
      { path: 'afterQuestion', message: 'This task has no such question. Send an id from questions.' },
    ])
  }
  return index + 1
}

async function findRow({ database }: Service, workspaceId: string, taskId: string): Promise<TaskRow> {
  const row = await findTaskBatched(database, workspaceId, taskId)
  if (!row) throw notFound('task')
  return row
}

async function findAccessible({ database }: Service, actor: Actor, taskId: string): Promise<TaskRow> {
  return requireAccess(actor, await findTaskBatched(database, actor.workspaceId, taskId))
}

/** `repliedTo`: whether each question of the task has a reply, oldest first. */
function endsWait(status: TaskRow['status'], repliedTo: boolean[], afterNumber: number): boolean {
  return status !== 'open' || repliedTo.slice(afterNumber).includes(false)
}

/** Reads the task. If it does not end the wait, waits for a change and reads the task once more. */
async function readAfterChange<T>(
  { waits }: Service,
  wait: { taskId: string; afterNumber: number; seconds: number; signal: AbortSignal | undefined },
  read: () => Promise<T>,
  isWaitOver: (task: T) => boolean,
): Promise<T> {
  // Listen before the first read, so that no change in between is missed.
  const waiting = waits.startWait(wait.taskId, wait.afterNumber, wait.seconds, wait.signal)
  try {
    const task = await read()
    if (isWaitOver(task)) return task
    await waiting.ended
  } finally {
    waiting.stop()
  }
  return await read()
}

/** The parts of a record that are columns of task_contents. */
const contentParts = new Set<string>(['context', 'actions', 'sent'])

async function loadRecord(
  service: Service,
  actor: Actor,
  taskId: string,
  include: NonNullable<GetTaskAsMember['include']>,
): Promise<MemberTaskRecord> {
  const { database, publicUrl } = service
  if (include.length === 0)
    return presentTaskTo(actor, await findAccessible(service, actor, taskId), publicUrl)
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const row = requireAccess(actor, await findTask(tx, taskId))
    const record: MemberTaskRecord = presentTaskTo(actor, row, publicUrl)
    const hasContent = row.contentDeletedAt === null
    if (hasContent && include.some((part) => contentParts.has(part))) {
      const content = await findTaskContent(tx, taskId)
      if (include.includes('context') && content?.context) record.context = content.context
      if (include.includes('actions') && content) record.actions = content.actions
      if (include.includes('sent') && content) record.sent = await loadSentOptions(tx, row, content.sent)
    }
    if (hasContent && include.includes('revisions')) {
      record.revisions = (await listRevisions(tx, taskId)).map(presentRevision)
    }
    if (include.includes('review') && row.review !== null && actor.kind === 'person')
      record.review = await loadReview(tx, row, actor)
    if (include.includes('notes') && actor.kind === 'person')
      record.notes = (await listNotes(tx, taskId)).map(presentNote)
    if (include.includes('snooze') && actor.kind === 'person') {
      const snooze = await findSnooze(tx, taskId, actor.id)
      if (snooze) record.snoozedUntil = snooze.until.toISOString()
    }
    if (include.includes('threadTasks')) record.threadTasks = await loadThreadTasks(tx, row)
    if (include.includes('updates')) record.updates = (await listUpdates(tx, taskId)).map(presentUpdate)
    return record
  })
}

async function loadThreadTasks(tx: Transaction, { id, threadId }: TaskRow) {
  // One more, because the task itself may be among them.
  const rows = await listOpenTasksOfThread(tx, threadId, limits.threadTasks + 1)
  return rows
    .filter((row) => row.id !== id)
    .slice(0, limits.threadTasks)
    .map(({ id: taskId, name, priority }) => ({ taskId, name, priority: priorities[priority]! }))
}

export async function requireTask(tx: Transaction, taskId: string): Promise<TaskRow> {
  const row = await findTask(tx, taskId)
  if (!row) throw notFound('task')
  return row
}
