import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'
import { waitingRank } from '../engine/thread-position.ts'
import { isNotSnoozed, type Snooze } from './snoozes.ts'

// Every statement reads a bounded number of rows in the order of an index, so that the figures cost
// the same in a workspace of any size.

/** The newest answers of a period by people and by the deadline, at most `limit`. */
function newestAnswers(
  tx: Transaction,
  from: RawBuilder<unknown>,
  until: RawBuilder<unknown>,
  limit: number,
) {
  return sql`
    SELECT handled_by_id, decided_by = 'human' AS is_human, expires_at IS NOT NULL AS has_deadline,
      extract(epoch FROM ended_at - created_at)::float8 AS seconds
    FROM tasks
    WHERE workspace_id = ${tx.workspaceId} AND status = 'handled' AND rule_id IS NULL AND ended_at >= ${from} AND ended_at < ${until}
    ORDER BY ended_at DESC, id DESC LIMIT ${limit}`
}

const median = sql`percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) FILTER (WHERE is_human)`

/**
 * Summarizes the newest `limit` answers since a time. `handled` and `medianSeconds` are about the
 * answers by people. Of these, `handledByMe` counts this person's, and `handledBeforeDeadline` those
 * to tasks with a deadline. `timeouts` counts the answers by the deadline, and `total` both kinds.
 */
export async function summarizeAnswers(tx: Transaction, userId: string, since: string, limit: number) {
  const answers = newestAnswers(tx, sql`${since}::timestamptz`, sql`'infinity'`, limit)
  const { rows } = await sql<{
    handled: number
    handledByMe: number
    handledBeforeDeadline: number
    medianSeconds: number | null
    timeouts: number
    total: number
  }>`
    SELECT (count(*) FILTER (WHERE is_human))::integer AS handled,
      (count(*) FILTER (WHERE is_human AND handled_by_id = ${userId}))::integer AS handled_by_me,
      (count(*) FILTER (WHERE is_human AND has_deadline))::integer AS handled_before_deadline,
      ${median} AS median_seconds, (count(*) FILTER (WHERE NOT is_human))::integer AS timeouts,
      count(*)::integer AS total
    FROM (${answers}) newest`.execute(tx.db)
  return rows[0]!
}

/**
 * The median time to answer of people in the days before a time, from the newest `limit` answers.
 * Null if there are none.
 */
export async function medianSecondsBefore(tx: Transaction, until: string, days: number, limit: number) {
  const end = sql`${until}::timestamptz`
  const answers = newestAnswers(tx, sql`${end} - make_interval(days => ${days})`, end, limit)
  const { rows } = await sql<{ seconds: number | null }>`
    SELECT ${median} AS seconds FROM (${answers}) newest`.execute(tx.db)
  return rows[0]!.seconds
}

/**
 * How many tasks have expired since a time. There is no index of expired tasks by time, so this
 * reads the newest `limit` ended tasks whose content was not deleted.
 */
export async function countExpired(tx: Transaction, since: string, limit: number): Promise<number> {
  const { rows } = await sql<{ expired: number }>`
    SELECT (count(*) FILTER (WHERE status = 'expired'))::integer AS expired FROM (
      SELECT status FROM tasks
      WHERE workspace_id = ${tx.workspaceId} AND status <> 'open' AND content_deleted_at IS NULL
        AND ended_at >= ${since}::timestamptz
      ORDER BY ended_at DESC, id DESC LIMIT ${limit}) newest`.execute(tx.db)
  return rows[0]!.expired
}

/** `sent`: all tasks that were created, including those that a rule answered. */
export type HourRow = { hour: number; arrived: number; handled: number; sent: number }

/**
 * Tasks that arrived in the inbox and answers by people, per hour since a time, from the newest
 * `limit` tasks and answers. Hours in which nothing was sent or answered are left out.
 */
export async function countPerHour(tx: Transaction, since: string, limit: number): Promise<HourRow[]> {
  const hourOf = (column: 'created_at' | 'ended_at') =>
    sql`floor(extract(epoch FROM ${sql.ref(column)} - ${since}::timestamptz) / 3600)::integer AS hour`
  const { rows } = await sql<HourRow>`
    SELECT hour, sum(arrived)::integer AS arrived, sum(handled)::integer AS handled, sum(sent)::integer AS sent FROM (
      (SELECT ${hourOf('created_at')}, (rule_id IS NULL)::integer AS arrived, 0 AS handled, 1 AS sent FROM tasks
       WHERE workspace_id = ${tx.workspaceId} AND created_at >= ${since}::timestamptz
       ORDER BY created_at DESC, id DESC LIMIT ${limit})
      UNION ALL
      (SELECT ${hourOf('ended_at')}, 0, (decided_by = 'human')::integer, 0 FROM tasks
       WHERE workspace_id = ${tx.workspaceId} AND status = 'handled' AND rule_id IS NULL AND ended_at >= ${since}::timestamptz
       ORDER BY ended_at DESC, id DESC LIMIT ${limit})) counted
    GROUP BY hour ORDER BY hour`.execute(tx.db)
  return rows
}

type Deadlines = {
  /** How many tasks are past the time at which they are due. */
  late: number
  /** How many are due within `soonSeconds`. */
  soon: number
  /** At most `listed` of both, the earliest due first. */
  taskIds: string[]
  /** When the oldest of all tasks that wait for people was created, snoozed or not. */
  oldestOpenAt: Date | null
}

/**
 * Reads the first `limit` open tasks by priority and age. Of these, tasks in `snoozes` and tasks
 * that wait for the agent are not counted. A task is due at its deadline or at its `answerBy`,
 * whichever is first.
 */
export async function summarizeDeadlines(
  tx: Transaction,
  {
    soonSeconds,
    listed,
    limit,
    snoozes,
  }: { soonSeconds: number; listed: number; limit: number; snoozes: Snooze[] },
): Promise<Deadlines> {
  const { rows } = await sql<Deadlines>`
    WITH clock AS MATERIALIZED (
      SELECT app_now() AS now, app_now() + make_interval(secs => ${soonSeconds}) AS soon
    ),
    due AS MATERIALIZED (
      SELECT first.* FROM (
        SELECT id, least(expires_at, answer_by) AS due_at, agent_due_at FROM tasks WHERE workspace_id = ${tx.workspaceId} AND status = 'open'
        ORDER BY priority, created_at, id LIMIT ${limit}) first
      JOIN clock ON first.due_at <= clock.soon AND first.agent_due_at IS NULL ${isNotSnoozed(sql.ref('first.id'), snoozes)}
    )
    SELECT (SELECT count(*)::integer FROM due, clock WHERE due_at <= now) AS late,
      (SELECT count(*)::integer FROM due, clock WHERE due_at > now) AS soon,
      ARRAY(SELECT id FROM due ORDER BY due_at, id LIMIT ${listed}) AS task_ids,
      (SELECT min(oldest.oldest_open_at) FROM generate_series(0, ${waitingRank - 1}) AS ranks (rank)
       CROSS JOIN LATERAL (
         SELECT oldest_open_at FROM threads WHERE workspace_id = ${tx.workspaceId} AND rank = ranks.rank
         ORDER BY oldest_open_at, id LIMIT 1) oldest) AS oldest_open_at`.execute(tx.db)
  return rows[0]!
}
