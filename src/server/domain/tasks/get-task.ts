import type { GetTaskAsMember, MemberTaskRecord } from '../../../contract/task.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import {
  findTask,
  findTaskBatched,
  findTaskContent,
  listUpdates,
  type TaskRow,
} from '../../storage/tasks/tasks.ts'
import type { Actor } from '../actor.ts'
import { notFound } from '../problems.ts'
import type { Service } from '../service.ts'
import { requireAccess } from './key-limits.ts'
import { presentTask, presentUpdate } from './present-task.ts'
import { presentSentOptions } from './sent-options.ts'

/** With `waitSeconds` it waits until the task leaves `open`, the time is up, the caller disconnects or the service drains. */
export async function getTask(
  service: Service,
  actor: Actor,
  taskId: string,
  options: GetTaskAsMember,
  signal: AbortSignal,
): Promise<MemberTaskRecord> {
  const include = options.include ?? []
  const seconds = options.waitSeconds ?? 0
  const read = () => loadRecord(service, actor, taskId, include)
  return seconds === 0 ? await read() : await readUntilEnded(service, taskId, seconds, signal, read)
}

/**
 * Waits until the task leaves `open` or the time is up, and returns its status. For our own MCP
 * server, which has already checked access to the task.
 */
export async function waitForTask(
  service: Service,
  workspaceId: string,
  taskId: string,
  seconds: number,
  signal: AbortSignal,
): Promise<TaskRow['status']> {
  const { status } = await readUntilEnded(service, taskId, seconds, signal, async () => {
    const row = await findTaskBatched(service.database, workspaceId, taskId)
    if (!row) throw notFound('task')
    return row
  })
  return status
}

/** Reads once more after the wait if the task was open. */
async function readUntilEnded<T extends { status: TaskRow['status'] }>(
  { waits }: Service,
  taskId: string,
  seconds: number,
  signal: AbortSignal,
  read: () => Promise<T>,
): Promise<T> {
  // Listen before the first read, so that no change in between is missed.
  const waiting = waits.untilEnded(taskId, seconds, signal)
  try {
    const task = await read()
    if (task.status !== 'open') return task
    await waiting.ended
  } finally {
    waiting.stop()
  }
  return await read()
}

async function loadRecord(
  { database, publicUrl }: Service,
  actor: Actor,
  taskId: string,
  include: NonNullable<GetTaskAsMember['include']>,
): Promise<MemberTaskRecord> {
  if (include.length === 0) {
    const row = requireAccess(actor, await findTaskBatched(database, actor.workspaceId, taskId))
    return presentTask(row, publicUrl)
  }
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const row = requireAccess(actor, await findTask(tx, taskId))
    const record: MemberTaskRecord = presentTask(row, publicUrl)
    const hasContent = row.contentDeletedAt === null
    if (hasContent && include.some((part) => part !== 'updates')) {
      const content = await findTaskContent(tx, taskId)
      if (include.includes('context') && content?.context) record.context = content.context
      if (include.includes('actions') && content) record.actions = content.actions
      if (include.includes('sent') && content) record.sent = presentSentOptions(row, content.sent)
    }
    if (include.includes('updates')) record.updates = (await listUpdates(tx, taskId)).map(presentUpdate)
    return record
  })
}

export async function requireTask(tx: Transaction, taskId: string): Promise<TaskRow> {
  const row = await findTask(tx, taskId)
  if (!row) throw notFound('task')
  return row
}
