import { groupPrefix } from '../../../contract/group-prefix.ts'
import { priorities } from '../../../contract/task-fields.ts'
import { newId } from '../../lib/ids.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import type { StoredReview } from '../../storage/engine/task-tables.ts'
import { recordTaskEvent } from '../../storage/events/event-log.ts'
import { listRoutes } from '../../storage/notifications/routes.ts'
import { listAnswers } from '../../storage/review/answers.ts'
import { findNames, listMembersOf, lockAssignees } from '../../storage/review/groups.ts'
import { listMembersWithGroups } from '../../storage/review/members-with-groups.ts'
import { setAssignee, setPriority, setReview } from '../../storage/tasks/change-task.ts'
import { insertNote } from '../../storage/tasks/notes.ts'
import {
  deletePausedStepsOfEnded,
  deleteStepsOfEnded,
  findTasksWithDueSteps,
  type Step,
  takeDueStep,
} from '../../storage/tasks/steps.ts'
import { findTask, type TaskRow } from '../../storage/tasks/tasks.ts'
import { lockThreadIfFree } from '../../storage/tasks/thread-locks.ts'
import { notifyAbout } from '../notifications/notify-about.ts'
import { processDue } from '../process-due.ts'
import { currentReview } from '../review/current-review.ts'
import { mayReview } from '../review/judge.ts'
import type { Service } from '../service.ts'

const batchSize = 100
const author = { id: 'service', email: 'service:policy' }

/** Runs reminders and escalation steps that are due. Returns true if there may be more. */
export async function runDueSteps(service: Service): Promise<boolean> {
  return await processDue(service, {
    find: (limit) => findTasksWithDueSteps(service.database, limit),
    idOf: ({ taskId }) => taskId,
    failure: 'failed to run a step of a policy',
    async work(tx, { taskId, threadId }) {
      // Before the lock: a thread without open tasks has no row to lock.
      if (await deleteStepsOfEnded(tx, taskId)) return true
      // Another transaction is changing the thread: skip the task rather than wait.
      if (!(await lockThreadIfFree(tx, threadId))) return false
      let hasRun = false
      while (await runStep(service, tx, taskId)) hasRun = true
      return hasRun
    },
  })
}

/** Deletes steps of tasks that ended while they waited for the agent. Returns true if there may be more. */
export async function deleteLeftoverSteps({ database }: Service): Promise<boolean> {
  return (await deletePausedStepsOfEnded(database, batchSize)) === batchSize
}

/**
 * Runs the first step of the task if it is due, in the transaction that deletes it: a step runs
 * either once and completely or not at all. Returns whether a step was due.
 */
async function runStep(service: Service, tx: Transaction, taskId: string): Promise<boolean> {
  const task = await findTask(tx, taskId)
  if (task?.status !== 'open') return false
  const step = await takeDueStep(tx, taskId)
  if (step?.kind === 'remind') await remind(service, tx, task)
  if (step?.kind === 'escalate') await escalate(service, tx, task, step)
  return step !== undefined
}

async function remind(service: Service, tx: Transaction, task: TaskRow): Promise<void> {
  const to = await findReminded(tx, task)
  await addStepNote(tx, task, { kind: 'reminded', text: '' })
  await announce(tx, task, 'service/task_reminded', to)
  await notifyAbout(service, tx, task, {
    to,
    label: 'Reminder',
    channelLabel: 'Reminder',
    text: task.description,
  })
}

/**
 * The assignees. If there are none, the people who may answer and who get notifications of tasks of
 * this priority. People who have answered are left out.
 */
async function findReminded(tx: Transaction, task: TaskRow): Promise<string[]> {
  const hasAnswered = await answererCheck(tx, task)
  const assignees = task.assignedToId === null ? [] : await listMembersOf(tx, [task.assignedToId])
  if (assignees.length > 0) return assignees.filter((id) => !hasAnswered(id))
  const routes = (await listRoutes(tx)).filter(({ wants }) => wants.includes(task.priority))
  const review = task.review && (await currentReview(tx, task))
  const people = (await listMembersWithGroups(tx)).filter((person) => !review || mayReview(review, person))
  return [...new Set(routes.map(({ recipient }) => recipient))].filter(
    (id) => !hasAnswered(id) && people.some(({ userId }) => userId === id),
  )
}

async function escalate(service: Service, tx: Transaction, task: TaskRow, step: Step): Promise<void> {
  const to = step.target === null ? [] : await assignTo(tx, task, step.target)
  // Nobody, if the person has left, the group was deleted, or none of its members can still answer.
  // Then at most the priority changes.
  const target = to.length > 0 ? step.target! : undefined
  const name = target && (await findNames(tx, [target])).get(target)
  const priority = step.raisePriority ? Math.max(0, task.priority - 1) : task.priority
  const isRaised = priority !== task.priority
  if (isRaised) await setPriority(tx, task, priority)

  const text = isRaised ? `The priority was raised to ${priorities[priority]}.` : ''
  await addStepNote(tx, task, { kind: 'escalated', text, assignedTo: target ?? null })
  await announce(tx, task, 'service/task_escalated', to)
  const details = { ...(target && { to: target }), ...(isRaised && { priority: priorities[priority] }) }
  await appendAudit(tx, {
    actor: author.id,
    from: undefined,
    action: 'task.escalated',
    subject: task.id,
    details,
  })
  const isGroup = name?.startsWith(groupPrefix)
  const label = `Escalated to ${isGroup ? 'your group' : 'you'}`
  // Names no person, whose address could not be erased from the messages in the channel.
  const channelLabel = isGroup ? `Escalated to ${name}` : 'Escalated'
  // Read again: if the task is now assigned to a group, the channels of this group are notified.
  const changed = (await findTask(tx, task.id)) ?? task
  await notifyAbout(service, tx, changed, { to, label, channelLabel, text: task.description })
}

/**
 * Assigns the task to a person or a group and lets them answer it. Returns the people among them
 * who may answer and have not answered yet. If there are none, nothing changes.
 */
async function assignTo(tx: Transaction, task: TaskRow, target: string): Promise<string[]> {
  if (!(await lockAssignees(tx, [target])).has(target)) return []
  const people = await listMembersWithGroups(tx)
  const review = task.review && withEscalation(await currentReview(tx, task), target)
  const hasAnswered = await answererCheck(tx, task)
  const members = await listMembersOf(tx, [target])
  const able = people
    .filter(({ userId }) => members.includes(userId) && !hasAnswered(userId))
    .filter((person) => !review || mayReview(review, person))
  if (able.length === 0) return []
  await setAssignee(tx, task.id, target)
  if (review) await setReview(tx, task.id, review)
  return able.map(({ userId }) => userId)
}

/** Returns a function that says whether a person has answered the task. */
async function answererCheck(tx: Transaction, task: TaskRow): Promise<(userId: string) => boolean> {
  const answers = task.answerCount > 0 ? await listAnswers(tx, task) : []
  return (userId) => answers.some((answer) => answer.userId === userId)
}

function withEscalation({ escalatedTo = [], ...review }: StoredReview, target: string): StoredReview {
  return { ...review, escalatedTo: [...new Set([...escalatedTo, target])] }
}

async function addStepNote(
  tx: Transaction,
  task: TaskRow,
  note: { kind: 'reminded' | 'escalated'; text: string; assignedTo?: string | null },
): Promise<void> {
  // Without a maximum number of notes, because a policy has only a few steps.
  await insertNote(tx, task, { id: newId('note'), ...note, by: author })
}

/** Records the event that open pages show. */
async function announce(
  tx: Transaction,
  { id: taskId, threadId }: TaskRow,
  type: 'service/task_reminded' | 'service/task_escalated',
  notifiedUserIds: string[],
): Promise<void> {
  await recordTaskEvent(tx, { type, taskId, threadId, body: { notifiedIds: notifiedUserIds } })
}
