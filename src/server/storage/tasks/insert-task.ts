import type { SentOptions } from '../../../contract/task.ts'
import { newId } from '../../lib/ids.ts'
import { deliveriesDue } from '../delivery/deliveries.ts'
import { createBatcher } from '../engine/batcher.ts'
import type { Database, StatementRunner } from '../engine/database.ts'
import { perDatabase } from '../engine/per-database.ts'
import type { Schema, StoredReview } from '../engine/schema.ts'
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
  /** By the policy. */
  answerWithinMinutes?: number | undefined
  /** In the order in which they run. */
  steps?: NewStep[] | undefined
  /** What a rule does with it. undefined: no rule matches. */
  rule?: MatchedRule | undefined
  /** Of the policies, groups and rules that it was planned with. */
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
  /** Its other options as they were sent. The assignee is stored by id. */
  sent: SentOptions
  eventBody: CreatedBody
}

/** A rule that waits for samples, or whose time is over, neither answers the task nor takes it as a sample: people answer it like any other. */
export type MatchedRule = {
  id: string
  generation: number
  until: Date
} & (
  | { kind: 'decision'; ending: HandledEnding }
  /** The task goes to people, and their answer is compared with that of the rule. */
  | { kind: 'sample' | 'newVersion' }
)

/** A write transaction of this size takes well below a second. */
export const insertBatchLimits = { maxItems: 50, maxWeight: 1_048_576 }

/** In characters. */
export function weighTask({ context = '', actions, description, rule }: NewTask): number {
  const answer = rule?.kind === 'decision' ? 3 * JSON.stringify(rule.ending.body).length : 0
  return context.length + actions.length + description.length + answer
}

const inserts = perDatabase((database) =>
  createBatcher<NewTask, InsertedAs | undefined>({
    async send(workspaceId, tasks) {
      const inserted = await insertTasks(database.statementIn(workspaceId), tasks)
      return tasks.map(({ id }) => inserted.get(id))
    },
    ...insertBatchLimits,
    weigh: weighTask,
  }),
)

/**
 * Inserts a task, in one transaction with other tasks of its workspace that arrive at the same time. Undefined: a policy, a
 * group or a rule has changed since it was planned, and nothing was written.
 */
export function insertTask(
  database: Database,
  workspaceId: string,
  task: NewTask,
): Promise<InsertedAs | undefined> {
  return inserts(database)(workspaceId, task)
}

/** `decided`: a rule has answered it. */
export type InsertedAs = 'open' | 'decided'

const statements = {
  'insert-tasks': insertTasksStatement(false),
  'insert-tasks-with-rules': insertTasksStatement(true),
}

export async function insertTasks(
  runner: StatementRunner,
  tasks: NewTask[],
): Promise<ReadonlyMap<string, InsertedAs>> {
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
  const inserted = new Map<string, InsertedAs>()
  for (const { taskId, type } of events) {
    if (inserted.get(taskId) !== 'decided')
      inserted.set(taskId, type === 'service/task_handled' ? 'decided' : 'open')
  }
  for (const taskId of inserted.keys()) runner.wakeUp(taskId)
  const isDue = ({ id, rule }: NewTask) =>
    rule?.kind === 'decision' && inserted.get(id) === 'decided' && rule.ending.deliveries.length > 0
  if (tasks.some(isDue)) runner.wakeUp(deliveriesDue)
  return inserted
}
