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
  /** Set by the policy. */
  answerWithinMinutes?: number | undefined
  /** Reminders and escalation steps, in the order in which they run. */
  steps?: NewStep[] | undefined
  /** The rule that matches the task. undefined: none. */
  rule?: MatchedRule | undefined
  /** The version of the policies, groups and rules that the task was planned with. */
  settingsVersion: string
  createdBy: string
  /** The MCP session that created it. */
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
 * A rule that waits for samples, or whose `until` has passed, neither decides a task nor draws it as
 * a sample: people answer the task like any other. The statement that inserts the task checks that.
 */
export type MatchedRule = {
  id: string
  generation: number
  until: Date
} & (
  | { kind: 'decision'; ending: HandledEnding }
  /**
   * The task goes to people, whose answer is compared with that of the rule. sample: drawn from the
   * tasks that the rule would decide. newVersion: a task of a version of the agent that has not
   * passed yet, compared even while the rule waits for samples or after its `until`.
   */
  | { kind: 'sample' | 'newVersion' }
)

/** A write transaction of this size takes well below a second. */
export const insertBatchLimits = { maxItems: 50, maxWeight: 1_048_576 }

/**
 * The size of a task in characters. Metadata, steps and the event's body are left out, so as not to
 * serialize them twice: those of 50 tasks are at most about as large as `maxWeight`.
 */
export function weighTask({ context = '', actions, description, onExpire, rule }: NewTask): number {
  // Written with the task, its event and the delivery.
  const answer = rule?.kind === 'decision' ? 3 * JSON.stringify(rule.ending.body).length : 0
  // Written with the task and in `sent`.
  const atDeadline = onExpire ? 2 * JSON.stringify(onExpire).length : 0
  return context.length + actions.length + description.length + answer + atDeadline
}

/**
 * open: it was inserted. decided: it was inserted, and a rule has answered it. outdated: a policy,
 * a group or a rule has changed since it was planned, and nothing was written.
 */
export type InsertOutcome = 'open' | 'decided' | 'outdated'

/** Inserts a task, in one transaction with other tasks of its workspace that arrive at the same time. */
export function insertTask(database: Database, workspaceId: string, task: NewTask): Promise<InsertOutcome> {
  // Collected by the batcher, which calls insertTasks (below).
  return insertBatcher(database)(workspaceId, task)
}

const insertBatcher = perDatabase((database) =>
  createBatcher<NewTask, InsertOutcome>({
    send: (workspaceId, tasks) => insertTasks(database.statementIn(workspaceId), tasks),
    ...insertBatchLimits,
    weigh: weighTask,
  }),
)

const statements = {
  'insert-tasks': insertTasksStatement(false),
  'insert-tasks-with-rules': insertTasksStatement(true),
}

/** Returns one outcome per task, in their order. */
export async function insertTasks(runner: StatementRunner, tasks: NewTask[]): Promise<InsertOutcome[]> {
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
  const inserted = new Map<string, InsertOutcome>()
  for (const { taskId, type } of events) {
    if (inserted.get(taskId) !== 'decided')
      inserted.set(taskId, type === 'service/task_handled' ? 'decided' : 'open')
  }
  // Wakes up readers of the workspace's log. Nobody waits for one of these tasks: their ids have
  // not been returned yet.
  if (inserted.size > 0) runner.wakeUp()
  // Notices are left to the sweep of the job queue, within a second: most tasks have none, and this
  // statement does not return them.
  const isDue = ({ id, rule }: NewTask) =>
    rule?.kind === 'decision' && inserted.get(id) === 'decided' && rule.ending.deliveries.length > 0
  if (tasks.some(isDue)) runner.wakeUp(deliveriesDue)
  return tasks.map(({ id }) => inserted.get(id) ?? 'outdated')
}
