import type { SentOptions } from '../../../contract/create-task.ts'
import { newId } from '../../lib/ids.ts'
import { deliveriesDue } from '../delivery/deliveries.ts'
import { createBatcher } from '../engine/batcher.ts'
import type { Database, StatementRunner } from '../engine/database.ts'
import { perDatabase } from '../engine/per-database.ts'
import type { Schema } from '../engine/schema.ts'
import type { StoredReview } from '../engine/task-tables.ts'
import type { CreatedBody } from '../events/event-bodies.ts'
import { type HandledEnding, toEndingRow } from './end-task.ts'
import { insertTasksStatement } from './insert-tasks-statement.ts'
import { documentWords } from './search-words.ts'
import type { NewStep } from './steps.ts'

export type NewTask = {
  id: string
  threadId: string
  app: string
  type: string
  name: string
  description: string
  version: string | undefined
  priority: number
  delivery: Schema['tasks']['delivery']
  metadata: Record<string, unknown> | undefined
  /** A person or a group by id. */
  assignedTo?: string | undefined
  review: StoredReview | undefined
  /** The target time that the policy sets. */
  answerWithinMinutes?: number | undefined
  /** Reminders and escalation steps, in the order in which they run. */
  steps?: NewStep[] | undefined
  /** The rule that matches the task. undefined: none. */
  rule?: MatchedRule | undefined
  /** The version of the policies, groups and rules that the task was planned with. */
  settingsVersion: string
  createdBy: string
  /** The MCP session in which the task was created. */
  sessionId: string | undefined
  traceparent: string | undefined
  tracestate: string | undefined
  callbackUrl: string | undefined
  pushesToMcp: boolean
  acceptsQuestions: boolean
  expiresInSeconds: number | undefined
  onExpire: { actionId: string; data: Record<string, unknown> } | undefined
  context: string | undefined
  actions: string
  /** The other options as sent, with ids in `review`. insertTasks replaces `assignTo` with an id. */
  sent: SentOptions
  eventBody: CreatedBody
}

/**
 * A rule that waits for samples, or whose `until` has passed, neither decides a task nor draws it
 * as a sample: people answer the task like any other. The statement that inserts the task checks
 * that.
 */
export type MatchedRule = {
  id: string
  generation: number
  until: Date
} & (
  | { kind: 'decision'; ending: HandledEnding }
  /**
   * The task goes to people, whose answer is compared with that of the rule. sample: drawn from the
   * tasks that the rule would decide. newVersion: the first tasks of a version of the agent,
   * compared until enough answers in a row agree, also while the rule waits for samples or after
   * its `until`.
   */
  | { kind: 'sample' | 'newVersion' }
)

/** A write transaction of this size takes well below a second. */
export const insertBatchLimits = { maxItems: 50, maxWeight: 1_048_576 }

/**
 * The size of a task in characters, for the batcher. Metadata, steps and the event's body are left
 * out, so as not to serialize them twice: in 50 tasks they are at most about as large as
 * `maxWeight`.
 */
export function weighTask({ context = '', actions, description, onExpire, rule }: NewTask): number {
  // Three times, because it is written with the task, its event and the delivery.
  const answer = rule?.kind === 'decision' ? 3 * JSON.stringify(rule.ending.body).length : 0
  // Twice, because it is written with the task and in `sent`.
  const atDeadline = onExpire ? 2 * JSON.stringify(onExpire).length : 0
  return context.length + actions.length + description.length + answer + atDeadline
}

/**
 * open: the task was inserted. decided: it was inserted, and a rule has answered it. outdated: it
 * was not inserted, because a policy, a group or a rule has changed since the task was planned.
 */
export type InsertResult = 'open' | 'decided' | 'outdated'

/** Inserts a task, in one transaction with other tasks of its workspace that arrive at the same time. */
export function insertTask(database: Database, workspaceId: string, task: NewTask): Promise<InsertResult> {
  // Collected by the batcher, which calls insertTasks (below).
  return insertBatcher(database)(workspaceId, task)
}

const insertBatcher = perDatabase((database) =>
  createBatcher<NewTask, InsertResult>({
    send: (workspaceId, tasks) => insertTasks(database.statementIn(workspaceId), tasks),
    ...insertBatchLimits,
    weigh: weighTask,
  }),
)

const statements = {
  'insert-tasks': insertTasksStatement(false),
  'insert-tasks-with-rules': insertTasksStatement(true),
}

/** Returns one result per task, in the order of `tasks`. */
export async function insertTasks(runner: StatementRunner, tasks: NewTask[]): Promise<InsertResult[]> {
  const { workspaceId } = runner
  const rows = tasks.map(({ rule, ...task }) => ({
    ...task,
    // Sent as strings: PostgreSQL would re-serialize nested JSON.
    metadata: task.metadata && JSON.stringify(task.metadata),
    onExpire: task.onExpire && JSON.stringify(task.onExpire),
    review: task.review && JSON.stringify(task.review),
    eventBody: JSON.stringify(task.eventBody),
    sent: JSON.stringify(
      task.sent.assignTo === undefined ? task.sent : { ...task.sent, assignTo: task.assignedTo },
    ),
    words: documentWords(workspaceId, task.type, task.name, task.description),
    eventId: newId('event'),
    noticeId: newId('delivery'),
    ...(rule && {
      ruleId: rule.id,
      ruleKind: rule.kind,
      ruleGeneration: rule.generation,
      ruleUntil: rule.until,
      ...(rule.kind === 'decision' && { ending: toEndingRow(rule.ending) }),
    }),
  }))
  const name = tasks.some(({ rule }) => rule) ? 'insert-tasks-with-rules' : 'insert-tasks'
  const events = await runner.prepared<{ taskId: string; type: string }>(name, statements[name], [
    workspaceId,
    JSON.stringify(rows),
  ])
  const inserted = new Map<string, InsertResult>()
  for (const { taskId, type } of events) {
    if (inserted.get(taskId) !== 'decided')
      inserted.set(taskId, type === 'service/task_handled' ? 'decided' : 'open')
  }
  // Wakes up readers of the workspace's log. Nobody waits for one of these tasks: their ids have
  // not been returned yet.
  if (inserted.size > 0) runner.wakeUp()
  // There is no wake-up for notices, because the statement does not return whether it has inserted
  // any and most tasks have none. The workers find them in their sweep, within a second.
  const isDue = ({ id, rule }: NewTask) =>
    rule?.kind === 'decision' && inserted.get(id) === 'decided' && rule.ending.deliveries.length > 0
  if (tasks.some(isDue)) runner.wakeUp(deliveriesDue)
  return tasks.map(({ id }) => inserted.get(id) ?? 'outdated')
}
