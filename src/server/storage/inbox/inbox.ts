import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'
import { runPrepared } from '../engine/prepared-query.ts'
import type { Schema } from '../engine/schema.ts'
import { waitingRank } from '../engine/thread-position.ts'
import { groupName } from '../tasks/assignee-name.ts'
import { hasNoSnooze, isNotSnoozed, type Snooze, threadsWithSnoozes } from './snoozes.ts'

type Sql = RawBuilder<unknown>

export type InboxTaskRow = {
  id: string
  threadId: string
  name: string
  description: string
  app: string
  type: string
  priority: number
  delivery: Schema['tasks']['delivery']
  createdAt: Date
  revision: number
  expiresAt: Date | null
  answerBy: Date | null
  assignedTo: string | null
  updateLevel: Schema['taskUpdates']['level'] | null
  updateAt: Date | null
  claimedBy: string | null
  claimedByName: string | null
  claimedUntil: Date | null
  hasDraft: boolean
  openQuestionCount: number
  /**
   * This and the next four fields are about the newest open question or, if none is open, the one
   * replied to last.
   */
  questionText: string | null
  askedBy: string | null
  askedAt: Date | null
  replyMessage: string | null
  repliedAt: Date | null
  agentDueAt: Date | null
  /** Null: the task has no review. */
  needed: number | null
  answerCount: number
  hasAnswered: boolean
}

/** A task with the sort keys of its thread. */
export type RankedTaskRow = InboxTaskRow & { rank: number; oldestOpenAt: Date }

/** Where a page ended in a list by priority and a timestamp. */
export type TaskPosition = { priority: number; at: string; taskId: string }

/** Where a page ended: the sort keys of the thread, then of the task within it. */
export type InboxPosition = TaskPosition & { rank: number; oldestOpenAt: string; threadId: string }

/**
 * Threads in index order; within each, tasks that wait for people in index order. Reads at most one
 * page per thread, so the cost does not grow with the inbox or with a thread. Tasks in `snoozes`
 * are left out.
 */
export async function listInbox(
  tx: Transaction,
  userId: string,
  after: InboxPosition | undefined,
  limit: number,
  snoozes: Snooze[],
): Promise<RankedTaskRow[]> {
  // A page that starts inside a thread is the rest of that thread and the threads after it. Two
  // index range scans; a single OR condition could not use the index.
  const tasks = after
    ? sql`
      (${openTasks(
        tx,
        sql`(threads.rank, threads.oldest_open_at, threads.id) = ${threadCursor(after)}`,
        isAfter(after),
        limit,
        snoozes,
      )})
      UNION ALL
      (${openTasks(tx, sql`(threads.rank, threads.oldest_open_at, threads.id) > ${threadCursor(after)}`, sql``, limit, snoozes)})
      ORDER BY rank, oldest_open_at, thread_id, priority, created_at, id LIMIT ${limit}`
    : openTasks(tx, sql`true`, sql``, limit, snoozes)
  return await readInboxRows<RankedTaskRow>(
    tx,
    userId,
    tasks,
    sql`page.rank, page.oldest_open_at, page.thread_id, page.priority, page.created_at, page.id`,
  )
}

/**
 * Runs `tasks`, a query for `inboxColumns`, and adds people, the latest update and question, the
 * claim, and whether the person has a draft and has answered. In `order`, the rows of `tasks` are
 * called `page`.
 */
export async function readInboxRows<Row extends InboxTaskRow>(
  tx: Transaction,
  userId: string,
  tasks: Sql,
  order: Sql,
): Promise<Row[]> {
  const query = sql<Row>`
    SELECT page.*, coalesce(assignee.email, ${groupName('assigned_group')}) AS assigned_to, latest.level AS update_level, latest.created_at AS update_at,
      talk.question_text, talk.asked_by, talk.asked_at, talk.reply_message, talk.replied_at,
      claims.user_id AS claimed_by, holder.name AS claimed_by_name, claims.until AS claimed_until,
      EXISTS (SELECT FROM drafts WHERE drafts.workspace_id = ${tx.workspaceId} AND drafts.task_id = page.id
        AND drafts.user_id = ${userId}) AS has_draft,
      CASE WHEN page.answer_count > 0 THEN EXISTS (SELECT FROM task_answers a WHERE a.workspace_id = ${tx.workspaceId}
        AND a.task_id = page.id AND a.revision = page.revision AND a.user_id = ${userId}) ELSE false END AS has_answered
    FROM (${tasks}) page
    LEFT JOIN users assignee ON assignee.id = page.assignee_id
    LEFT JOIN groups assigned_group ON assigned_group.id = page.assignee_id
    LEFT JOIN LATERAL (SELECT * FROM task_updates WHERE id = page.latest_update_id LIMIT 1) latest ON true
    LEFT JOIN LATERAL (
      SELECT q.text AS question_text, q.asked_by, q.created_at AS asked_at, u.message AS reply_message, u.created_at AS replied_at
      FROM task_questions q LEFT JOIN task_updates u ON u.id = q.update_id WHERE q.id = page.latest_question_id LIMIT 1) talk ON true
    LEFT JOIN claims ON claims.task_id = page.id AND claims.until > app_now()
    LEFT JOIN users holder ON holder.id = claims.user_id
    ORDER BY ${order}`
  return await runPrepared(tx, query)
}

/** The columns of task `t` that the inbox shows. */
export const inboxColumns = sql`
  t.id, t.thread_id, t.name, left(t.description, 600) AS description, t.app, t.type, t.priority, t.delivery,
  t.created_at, t.revision, t.expires_at, t.answer_by, t.assigned_to AS assignee_id, t.latest_update_id, t.latest_question_id,
  t.open_question_count, t.agent_due_at, (t.review ->> 'needed')::integer AS needed, t.answer_count`

/**
 * SQL condition with a leading AND: the tasks `t` after a position, in the order of priority and
 * `by`. Empty without a position.
 */
export function isAfter(position: TaskPosition | undefined, by: Sql = sql.ref('created_at')): Sql {
  return position
    ? sql`AND (t.priority, t.${by}, t.id)
        > (${position.priority}::smallint, ${position.at}::timestamptz, ${position.taskId})`
    : sql``
}

function threadCursor({ rank, oldestOpenAt, threadId }: InboxPosition) {
  return sql`(${rank}::smallint, ${oldestOpenAt}::timestamptz, ${threadId})`
}

/**
 * Selects threads first: each has at least one task that waits for people, so a page has no more
 * threads than tasks.
 */
function openTasks(
  tx: Transaction,
  threadCondition: Sql,
  taskCondition: Sql,
  limit: number,
  snoozes: Snooze[],
) {
  const order = sql`ORDER BY rank, oldest_open_at, id LIMIT ${limit}`
  const indexed = sql`
      SELECT id, rank, oldest_open_at FROM threads
      WHERE threads.workspace_id = ${tx.workspaceId} AND rank < ${waitingRank} AND ${threadCondition} ${hasNoSnooze(sql.ref('threads.id'), snoozes)}
      ${order}`
  const threads =
    snoozes.length === 0
      ? indexed
      : sql`
      (${indexed}) UNION ALL
      (SELECT id, rank, oldest_open_at FROM (${threadsWithSnoozes(tx, snoozes)}) threads WHERE ${threadCondition})
      ${order}`
  return sql`
    SELECT task.*, thread.rank, thread.oldest_open_at
    FROM (${threads}) thread CROSS JOIN LATERAL (
      SELECT ${inboxColumns} FROM tasks t
      WHERE t.workspace_id = ${tx.workspaceId} AND t.thread_id = thread.id AND t.ended_at IS NULL AND t.agent_due_at IS NULL ${taskCondition} ${isNotSnoozed(sql.ref('t.id'), snoozes)}
      ORDER BY t.priority, t.created_at, t.id LIMIT ${limit}
    ) task
    ORDER BY thread.rank, thread.oldest_open_at, thread.id, task.priority, task.created_at, task.id
    LIMIT ${limit}`
}

/** The first tasks of a thread that wait for people, in the order of the inbox. */
export function listOpenTasksOfThread(tx: Transaction, threadId: string, limit: number) {
  return tx.db
    .selectFrom('tasks')
    .select(['id', 'name', 'priority'])
    .where('workspaceId', '=', tx.workspaceId)
    .where('threadId', '=', threadId)
    .where('endedAt', 'is', null)
    .where('agentDueAt', 'is', null)
    .orderBy('priority')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/**
 * Counts the tasks that wait for people. The list groups a task by the rank of its thread, which is
 * a priority, and so do the counts. Each of these threads has at least one such task, so reading
 * `max` threads per rank is enough to count to `max`. Tasks in `snoozes` are not counted.
 */
export async function countOpen(tx: Transaction, max: number, snoozes: Snooze[]): Promise<PriorityCount[]> {
  const counted = await countByPriority(
    tx,
    sql`SELECT coalesce(sum(open_count - waiting_count), 0) AS count FROM (
      SELECT open_count, waiting_count FROM threads WHERE workspace_id = ${tx.workspaceId} AND rank = p.priority
        ${hasNoSnooze(sql.ref('threads.id'), snoozes)}
      LIMIT ${max}) threads_of_rank`,
  )
  if (snoozes.length === 0) return counted
  const { rows: withSnoozes } = await sql<PriorityCount>`
    SELECT rank AS priority, sum(for_people)::integer AS count
    FROM (${threadsWithSnoozes(tx, snoozes)}) threads GROUP BY rank`.execute(tx.db)
  const countOf = (rank: number) => withSnoozes.find(({ priority }) => priority === rank)?.count ?? 0
  return counted.map(({ priority, count }) => ({ priority, count: count + countOf(priority) }))
}

export type PriorityCount = { priority: number; count: number }

/**
 * One row per priority, including zero counts. `counted` is a lateral query with a column `count`;
 * it can use `p.priority`.
 */
export async function countByPriority(tx: Transaction, counted: Sql): Promise<PriorityCount[]> {
  const query = sql<PriorityCount>`
    SELECT p.priority, counted.count::integer AS count
    FROM (VALUES (0), (1), (2), (3)) AS p (priority)
    CROSS JOIN LATERAL (${counted}) counted`
  return await runPrepared(tx, query)
}
