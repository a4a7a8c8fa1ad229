import {
  type Compilable,
  type Kysely,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Action } from '../../../contract/action.ts'
import type { QuestionKind } from '../../../contract/question.ts'
import type { GivenAnswer } from '../../../contract/review.ts'
import { createReadBatcher } from '../engine/batcher.ts'
import type { Database, Transaction } from '../engine/database.ts'
import { perDatabase } from '../engine/per-database.ts'
import { runPrepared } from '../engine/prepared-query.ts'
import type { Schema } from '../engine/schema.ts'
import { groupName } from './assignee-name.ts'
import { queryWords } from './search-words.ts'

/**
 * For statements on one task by its id. With a plain `status = 'open'` the planner may choose an
 * index of open tasks instead of the primary key. Until the next vacuum, that index also contains
 * tasks that have ended.
 */
export const isOpen = sql<SqlBool>`CASE tasks.status WHEN 'open' THEN true END`

/** Selects the page first, then joins. Lateral, because otherwise the planner scans all updates. */
function selectTasks(db: Kysely<Schema>, narrow: (tasks: TasksQuery) => TasksQuery = (tasks) => tasks) {
  return db
    .selectFrom(narrow(db.selectFrom('tasks').selectAll('tasks')).as('tasks'))
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('taskUpdates')
          .selectAll()
          .whereRef('taskUpdates.id', '=', 'tasks.latestUpdateId')
          .limit(sql.lit(1))
          .as('latest'),
      (join) => join.onTrue(),
    )
    .leftJoin('users as assignee', 'assignee.id', 'tasks.assignedTo')
    .leftJoin('groups as assignedGroup', 'assignedGroup.id', 'tasks.assignedTo')
    .select([
      'tasks.id',
      'tasks.workspaceId',
      'tasks.threadId',
      'tasks.status',
      'tasks.app',
      'tasks.type',
      'tasks.name',
      'tasks.description',
      'tasks.version',
      'tasks.priority',
      'tasks.delivery',
      'tasks.metadata',
      'tasks.traceparent',
      'tasks.tracestate',
      'tasks.createdAt',
      'tasks.updatedAt',
      'tasks.expiresAt',
      'tasks.endedAt',
      'tasks.actionId',
      'tasks.actionTitle',
      'tasks.answer',
      'tasks.handledBy',
      'tasks.handledByVerified',
      'tasks.decidedBy',
      'tasks.ruleId',
      'tasks.via',
      'tasks.presented',
      'tasks.edits',
      'tasks.cancelReason',
      'tasks.callbackUrl',
      'tasks.push as pushesToMcp',
      'tasks.createdBy',
      'tasks.onExpire',
      'tasks.contentDeletedAt',
      'tasks.revision',
      'tasks.acceptsQuestions',
      'tasks.openQuestionCount',
      'tasks.agentDueAt',
      'tasks.answerBy',
      'tasks.review',
      'tasks.answerCount',
      'tasks.assignedTo as assignedToId',
      'latest.id as updateId',
      'latest.message as updateMessage',
      'latest.level as updateLevel',
      'latest.progress as updateProgress',
      'latest.createdAt as updateAt',
      'latest.questionId as updateQuestionId',
      'latest.revision as updateRevision',
    ])
    .select(sql<string | null>`coalesce(assignee.email, ${groupName('assigned_group')})`.as('assignedTo'))
    .select([
      questionsOf('tasks').as('questions'),
      answersOf('tasks').as('answers'),
      reviewNamesOf.as('reviewNames'),
      ruleNameOf.as('ruleName'),
    ])
}

export type StoredAnswer = {
  actionId: string
  actionTitle: string
  data: Record<string, unknown>
  answeredBy: string
  isVerified: boolean
  via: GivenAnswer['via']
  createdAt: string
}

/**
 * The answers to the last revision of an ended task with a review, oldest first. Null, without a
 * lookup, while the task is open or if there are none.
 */
export function answersOf(tasks: string) {
  const table = sql.id(tasks)
  return sql<StoredAnswer[] | null>`
  CASE WHEN ${table}.answer_count > 0 AND ${table}.status <> 'open'
    THEN answers_of_task(${table}.workspace_id, ${table}.id, ${table}.revision) END`
}

/** The email address or group:<slug> of each id in the review. Null, without a lookup, without a review. */
const reviewNamesOf = sql<Record<string, string> | null>`
  CASE WHEN tasks.review IS NOT NULL THEN names_of_review(tasks.workspace_id, tasks.review) END`

/** The name of the rule that answered the task. Null, without a lookup, if none did. */
const ruleNameOf = sql<string | null>`
  CASE WHEN tasks.rule_id IS NOT NULL THEN name_of_rule(tasks.workspace_id, tasks.rule_id) END`

export type StoredQuestion = {
  id: string
  kind: QuestionKind
  text: string
  askedBy: string
  askedAt: string
  updateId: string | null
  message: string | null
  answeredAt: string | null
}

/** The questions of the task, oldest first. Null, without a lookup, if it has none. */
export function questionsOf(tasks: string) {
  const table = sql.id(tasks)
  return sql<StoredQuestion[] | null>`
  CASE WHEN ${table}.question_count > 0 THEN questions_of_task(${table}.workspace_id, ${table}.id) END`
}

type TasksQuery = SelectQueryBuilder<Schema, 'tasks', Selectable<Schema['tasks']>>

export type TaskRow = Awaited<ReturnType<ReturnType<typeof selectTasks>['executeTakeFirstOrThrow']>>

/** Within a transaction, which may have locked or changed the task. Otherwise use findTaskBatched. */
export async function findTask(tx: Transaction, taskId: string): Promise<TaskRow | undefined> {
  const query = selectTasks(tx.db)
    .where('tasks.workspaceId', '=', tx.workspaceId)
    .where('tasks.id', '=', taskId)
  const [task] = await runPrepared<TaskRow>(tx, query)
  return task
}

/** Outside a transaction: concurrent reads share one round trip. */
export function findTaskBatched(
  database: Database,
  workspaceId: string,
  taskId: string,
): Promise<TaskRow | undefined> {
  return readBatchers(database).tasks(workspaceId, taskId)
}

/** The task with its actions, against whose forms an answer is checked. */
export function findTaskWithActionsBatched(database: Database, workspaceId: string, taskId: string) {
  return readBatchers(database).withActions(workspaceId, taskId)
}

/** Frequent reads by id, prepared and batched. Only the SQL of the queries is used, without values. */
const readBatchers = perDatabase((database) => {
  const byIds = selectTasks(database.owner)
    .where('tasks.workspaceId', '=', '$1')
    .where(sql<SqlBool>`tasks.id = any(${'$2'}::text[])`)
  const withActions = byIds
    .innerJoin('taskContents', 'taskContents.taskId', 'tasks.id')
    .select('taskContents.actions')
  const createBatcherOf = <Row extends TaskRow>(name: string, query: Compilable<Row>) => {
    const statement = statementByIds(query)
    return createReadBatcher<Row>(
      ({ id }) => id,
      (workspaceId, taskIds) =>
        database.statementIn(workspaceId).prepared(name, statement, [workspaceId, taskIds]),
    )
  }
  return {
    tasks: createBatcherOf<TaskRow>('tasks-by-id', byIds),
    withActions: createBatcherOf<TaskRow & { actions: Action[] }>('tasks-with-actions', withActions),
  }
})

/** Kysely numbers parameters in order. Any other value has to be a literal, such as `sql.lit(1)`. */
function statementByIds(query: Compilable): string {
  const { sql: statement, parameters } = query.compile()
  if (parameters.join() !== '$1,$2') throw new Error(`Expected the parameters $1 and $2, got ${parameters}.`)
  return statement
}

export function findTaskContent(tx: Transaction, taskId: string) {
  return tx.db
    .selectFrom('taskContents')
    .select(['context', 'actions', 'sent'])
    .where('workspaceId', '=', tx.workspaceId)
    .where('taskId', '=', taskId)
    .executeTakeFirst()
}

type TaskStatus = Selectable<Schema['tasks']>['status']

export type TaskFilters = {
  status?: TaskStatus | undefined
  /** Neither `types` nor `apps` is empty. */
  types?: string[] | undefined
  apps?: string[] | undefined
  version?: string | undefined
  priority?: number | undefined
  threadId?: string | undefined
  createdAfter?: string | undefined
  createdBefore?: string | undefined
  handledBy?: string | undefined
  actionId?: string | undefined
  ruleId?: string | undefined
  handledAfter?: string | undefined
  handledBefore?: string | undefined
}

/** A position in a list: the timestamp it is sorted by, and the id as a tie-breaker. */
export type PagePosition = { at: string; id: string }

export async function listTasks(
  tx: Transaction,
  filters: TaskFilters,
  sort: 'createdAt' | 'handledAt',
  before: PagePosition | undefined,
  limit: number,
): Promise<TaskRow[]> {
  const by = sort === 'createdAt' ? 'tasks.createdAt' : 'tasks.endedAt'
  return await selectTasks(tx.db, (tasks) => {
    let query = applyFilters(tasks, filters, sort)
      .where('tasks.workspaceId', '=', tx.workspaceId)
      .orderBy(by, 'desc')
      .orderBy('tasks.id', 'desc')
      .limit(limit)
    if (before) {
      query = query.where(
        sql<SqlBool>`(${sql.ref(by)}, tasks.id) < (${before.at}::timestamptz, ${before.id})`,
      )
    }
    return query
  })
    .orderBy(by, 'desc')
    .orderBy('tasks.id', 'desc')
    .execute()
}

function applyFilters(tasks: TasksQuery, filters: TaskFilters, sort: 'createdAt' | 'handledAt'): TasksQuery {
  const { status, types, apps, version, priority, threadId, handledBy, actionId, ruleId } = filters
  const { createdAfter, createdBefore, handledAfter, handledBefore } = filters
  const onlyHandled =
    sort === 'handledAt' || [handledBy, actionId, ruleId, handledAfter, handledBefore].some(Boolean)
  let query = tasks
  if (onlyHandled) query = query.where('tasks.status', '=', 'handled')
  if (status) query = query.where('tasks.status', '=', status)
  if (types) query = query.where('tasks.type', 'in', types)
  if (apps) query = query.where('tasks.app', 'in', apps)
  if (version) query = query.where('tasks.version', '=', version)
  if (priority !== undefined) query = query.where('tasks.priority', '=', priority)
  if (threadId) query = query.where('tasks.threadId', '=', threadId)
  if (handledBy) query = query.where('tasks.handledBy', '=', handledBy)
  if (actionId) query = query.where('tasks.actionId', '=', actionId)
  if (ruleId) query = query.where('tasks.ruleId', '=', ruleId)
  if (createdAfter) query = query.where('tasks.createdAt', '>', new Date(createdAfter))
  if (createdBefore) query = query.where('tasks.createdAt', '<', new Date(createdBefore))
  if (handledAfter) query = query.where('tasks.endedAt', '>', new Date(handledAfter))
  if (handledBefore) query = query.where('tasks.endedAt', '<', new Date(handledBefore))
  // No task ends before it was created, so tasks created after `handledBefore` or ended before
  // `createdAfter` need not be scanned.
  if (handledBefore) query = query.where('tasks.createdAt', '<', new Date(handledBefore))
  if (createdAfter && onlyHandled) query = query.where('tasks.endedAt', '>', new Date(createdAfter))
  return query
}

export type SearchFilters = {
  status?: TaskStatus | undefined
  types?: string[] | undefined
  apps?: string[] | undefined
  priority?: number | undefined
  /** People and groups by id, or null for unassigned tasks. */
  assignedTo?: string[] | null | undefined
  version?: string | undefined
  handledBy?: string | undefined
  actionId?: string | undefined
  ruleId?: string | undefined
  handledAfter?: string | undefined
  handledBefore?: string | undefined
  late?: true | undefined
}

export async function searchTasks(
  tx: Transaction,
  query: string,
  filters: SearchFilters,
  before: PagePosition | undefined,
  limit: number,
): Promise<TaskRow[]> {
  return await findTasks(tx, await searchTaskIds(tx, query, filters, before, limit))
}

/** The ids of matching tasks, newest first. */
export async function searchTaskIds(
  tx: Transaction,
  query: string,
  filters: SearchFilters,
  before: PagePosition | undefined,
  limit: number,
): Promise<string[]> {
  const {
    types,
    apps,
    priority,
    assignedTo,
    version,
    handledBy,
    actionId,
    ruleId,
    handledAfter,
    handledBefore,
    late,
  } = filters
  const { words, last } = queryWords(tx.workspaceId, query)
  const onlyHandled = [handledBy, actionId, ruleId, handledAfter, handledBefore].some(Boolean)
  const isContradictory = onlyHandled && filters.status !== undefined && filters.status !== 'handled'
  // Without `last`, the query contains no words.
  if (last === undefined || isContradictory) return []
  const status = onlyHandled ? 'handled' : filters.status
  // search_tasks takes ids separated by spaces, '' for unassigned tasks, and null for any assignee.
  const assignee = assignedTo === null ? '' : assignedTo?.join(' ')
  const { rows } = await sql<{ taskId: string }>`
    SELECT task_id FROM search_tasks(${words}::text[], ${last}, ${status ?? null}, ${types ?? null}::text[], ${apps ?? null}::text[],
      ${priority ?? null}::smallint, ${assignee ?? null}, ${version ?? null}, ${handledBy ?? null}, ${actionId ?? null}, ${ruleId ?? null},
      ${handledAfter ?? null}::timestamptz, ${handledBefore ?? null}::timestamptz, ${late ?? false}, ${before?.at ?? null}::timestamptz,
      ${before?.id ?? null}, ${limit})`.execute(tx.db)
  return rows.map((row) => row.taskId)
}

async function findTasks(tx: Transaction, taskIds: string[]): Promise<TaskRow[]> {
  if (taskIds.length === 0) return []
  return await selectTasks(tx.db)
    .where('tasks.workspaceId', '=', tx.workspaceId)
    .where('tasks.id', 'in', taskIds)
    .orderBy('tasks.createdAt', 'desc')
    .orderBy('tasks.id', 'desc')
    .execute()
}

/** Open tasks past their deadline, across all workspaces, oldest deadline first. */
export async function findOverdueTasks(database: Database, limit: number) {
  return await database.allWorkspaces((db) =>
    db
      .selectFrom('tasks')
      .select(['id', 'workspaceId', 'threadId'])
      .where('status', '=', 'open')
      .where('expiresAt', '<=', sql<Date>`app_now()`)
      .orderBy('expiresAt')
      .limit(limit)
      .execute(),
  )
}

export type WaitState = { id: string; hasEnded: boolean; newestQuestion: number | null }

/**
 * The tasks among these, across workspaces, that have ended or have questions without a reply, and
 * the number of the newest such question. Waiters then read the tasks themselves.
 */
export async function findWaitStates(database: Database, taskIds: string[]): Promise<WaitState[]> {
  return await database.statementAs('all-workspaces').prepared<WaitState>(
    'wait-states',
    `SELECT id, status <> 'open' AS "hasEnded", CASE WHEN open_question_count > 0 THEN (
        SELECT max(number) FROM task_questions q WHERE q.workspace_id = tasks.workspace_id AND q.task_id = tasks.id AND update_id IS NULL
      ) END AS "newestQuestion"
    FROM tasks WHERE id = ANY ($1::text[]) AND (status <> 'open' OR open_question_count > 0)`,
    [taskIds],
  )
}

/** The workspace of a task. Only for the CLI, which does not know it. */
export async function findTaskWorkspace(database: Database, taskId: string): Promise<string | undefined> {
  const row = await database.allWorkspaces((db) =>
    db.selectFrom('tasks').select('workspaceId').where('id', '=', taskId).executeTakeFirst(),
  )
  return row?.workspaceId
}
