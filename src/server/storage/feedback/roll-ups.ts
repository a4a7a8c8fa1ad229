import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '../engine/database.ts'
import { declaredOutcome } from '../tasks/declared-outcome.ts'
import type { ClearedTask } from '../tasks/task-content.ts'

// Roll-ups: the answers of each past day are counted once and stored. statistics.ts reads the
// counts. Days are in UTC.

/** A day is rolled up this long after its end, so that all of its answers are committed. */
const settleTime = sql.lit('5 minutes')
/** The first day that cannot be rolled up yet. */
const firstOpenDay = sql`((app_now() - ${settleTime}::interval) AT TIME ZONE 'UTC')::date`
export const dayOf = (timestamp: RawBuilder<unknown>) => sql`(${timestamp} AT TIME ZONE 'UTC')::date`
export const startOf = (day: RawBuilder<unknown> | string) =>
  sql`(${day}::date::timestamp AT TIME ZONE 'UTC')`
/**
 * SQL for the time-to-answer bucket of the task `t`. bucketOf (domain/feedback/durations.ts) has
 * the same formula.
 */
export const bucket = sql`
  floor(4 * ln(greatest(extract(epoch FROM t.ended_at - t.created_at), 1)::float8) / ln(2::float8))::smallint`
const answerDayColumns = sql.raw(
  'workspace_id, day, app, type, version, handled_by, decided_by, action_id, action_title, outcome, answers, began_at',
)

export async function listWorkspacesToRollUp(
  database: Database,
  limit: number,
): Promise<{ workspaceId: string }[]> {
  return await database.allWorkspaces(async (db) => {
    const { rows } = await sql<{ workspaceId: string }>`
      SELECT w.id AS workspace_id FROM workspaces w LEFT JOIN answer_roll_ups r ON r.workspace_id = w.id
      WHERE EXISTS (SELECT FROM tasks t WHERE t.workspace_id = w.id AND t.status = 'handled'
        AND t.ended_at >= coalesce(${startOf(sql`r.until`)}, '-infinity') AND t.ended_at < ${startOf(firstOpenDay)})
      LIMIT ${limit}`.execute(db)
    return rows
  })
}

/** Serializes changes to the roll-ups of a workspace, until the transaction ends. */
export async function lockRollUps({ db, workspaceId }: Transaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${lockKey(workspaceId)})`.execute(db)
}

/** Like lockRollUps, but does not wait: returns false if another process has the lock. */
export async function tryLockRollUps({ db, workspaceId }: Transaction): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`
    SELECT pg_try_advisory_xact_lock(${lockKey(workspaceId)}) AS is_locked`.execute(db)
  return rows[0]!.isLocked
}

function lockKey(workspaceId: string): RawBuilder<unknown> {
  return sql`hashtextextended(${`roll-up ${workspaceId}`}, 0)`
}

/**
 * Replaces the titles of the tasks' actions with ids in the roll-ups, and the declared outcomes
 * with those that were resolved when the content was deleted. The caller holds lockRollUps.
 */
export async function clearActionTitles(
  { db, workspaceId }: Transaction,
  tasks: ClearedTask[],
): Promise<void> {
  const answers = tasks
    .filter(({ actionId }) => !actionId?.startsWith('service:'))
    .filter((task) => task.actionId !== task.actionTitle || task.declaredOutcome !== task.outcome)
    .map((task) => ({ ...task, day: task.endedAt.toISOString().slice(0, 10) }))
  if (answers.length === 0) return
  await sql`
    WITH cleared AS (
      SELECT day, app, type, coalesce(version, '') AS version, "handledBy" AS handled_by, "decidedBy" AS decided_by,
        "actionId" AS action_id, "actionTitle" AS action_title, coalesce("declaredOutcome", '') AS declared, outcome,
        count(*)::int AS answers
      FROM json_to_recordset(${JSON.stringify(answers)}::json) AS t (day date, app text, type text, version text,
        "handledBy" text, "decidedBy" text, "actionId" text, "actionTitle" text, "declaredOutcome" text, outcome text)
      GROUP BY day, app, type, coalesce(version, ''), "handledBy", "decidedBy", "actionId", "actionTitle",
        coalesce("declaredOutcome", ''), outcome
    ), reduced AS (
      UPDATE answer_days d SET answers = d.answers - cleared.answers FROM cleared
      WHERE d.workspace_id = ${workspaceId} AND d.day = cleared.day AND d.app = cleared.app AND d.type = cleared.type
        AND d.version = cleared.version AND d.handled_by = cleared.handled_by AND d.decided_by = cleared.decided_by
        AND d.action_id = cleared.action_id AND d.action_title = cleared.action_title AND d.outcome = cleared.declared
      RETURNING d.day, d.app, d.type, d.version, d.handled_by, d.decided_by, d.action_id, cleared.outcome, cleared.answers, d.began_at
    )
    INSERT INTO answer_days AS existing (${answerDayColumns})
    SELECT ${workspaceId}, day, app, type, version, handled_by, decided_by, action_id, action_id, outcome, sum(answers),
      min(began_at)
    FROM reduced GROUP BY day, app, type, version, handled_by, decided_by, action_id, outcome
    ON CONFLICT (workspace_id, day, app, type, version, handled_by, decided_by, action_id, action_title, outcome)
    DO UPDATE SET answers = existing.answers + excluded.answers, began_at = least(existing.began_at, excluded.began_at)`.execute(
    db,
  )
  await sql`
    DELETE FROM answer_days WHERE workspace_id = ${workspaceId} AND answers <= 0
      AND day = ANY (${[...new Set(answers.map(({ day }) => day))]}::date[])`.execute(db)
}

/**
 * Rolls up the oldest day that is over and not rolled up yet. Returns false if there is none, or if
 * another process has the lock. The lock is advisory: a row lock would assign a transaction id and
 * delay readers of the event log. COALESCE is inside the subquery: in the outer condition,
 * row-level security would prevent the index scan.
 */
export async function rollUpNextDay(tx: Transaction): Promise<boolean> {
  const { db, workspaceId } = tx
  if (!(await tryLockRollUps(tx))) return false
  const { rows } = await sql<{ day: string }>`
    SELECT ${dayOf(sql`t.ended_at`)}::text AS day FROM tasks t WHERE t.workspace_id = ${workspaceId} AND t.status = 'handled'
      AND t.ended_at >= (SELECT coalesce(max(${startOf(sql`until`)}), '-infinity') FROM answer_roll_ups WHERE workspace_id = ${workspaceId})
      AND t.ended_at < ${startOf(firstOpenDay)}
    ORDER BY t.ended_at LIMIT 1`.execute(db)
  const day = rows[0]?.day
  if (day === undefined) return false
  const isOnDay = sql`t.workspace_id = ${workspaceId} AND t.status = 'handled'
    AND t.ended_at >= ${startOf(day)} AND t.ended_at < ${startOf(day)} + interval '1 day'`
  const version = sql`coalesce(t.version, '')`
  const outcome = sql`coalesce(${declaredOutcome}, '')`
  // Rows are inserted in the order of the primary key, by which they are read, so that neighbors in
  // the index are on the same page: otherwise reading 30 days takes one page per row.
  await sql`
    INSERT INTO answer_days (${answerDayColumns})
    SELECT t.workspace_id, ${day}::date, t.app, t.type, ${version} AS version, t.handled_by, t.decided_by, t.action_id,
      t.action_title, ${outcome} AS outcome, count(*), min(t.created_at)
    FROM tasks t WHERE ${isOnDay}
    GROUP BY t.workspace_id, t.app, t.type, ${version}, t.handled_by, t.decided_by, t.action_id, t.action_title, ${outcome}
    ORDER BY t.app, t.type, version, t.decided_by, t.action_id, t.action_title, outcome, t.handled_by`.execute(
    db,
  )
  await sql`
    INSERT INTO answer_time_days (workspace_id, day, app, type, version, handled_by, bucket, answers)
    SELECT t.workspace_id, ${day}::date, t.app, t.type, ${version} AS version, t.handled_by, ${bucket} AS bucket, count(*)
    FROM tasks t WHERE ${isOnDay} AND t.decided_by = 'human'
    GROUP BY t.workspace_id, t.app, t.type, ${version}, t.handled_by, ${bucket}
    ORDER BY t.app, t.type, version, t.handled_by, bucket`.execute(db)
  await sql`
    INSERT INTO answer_edit_days (workspace_id, day, app, type, version, handled_by, level, answers)
    SELECT t.workspace_id, ${day}::date, t.app, t.type, ${version} AS version, t.handled_by, t.edit_level, count(*)
    FROM tasks t WHERE ${isOnDay} AND t.decided_by = 'human' AND t.edit_level IS NOT NULL
    GROUP BY t.workspace_id, t.app, t.type, ${version}, t.handled_by, t.edit_level
    ORDER BY t.app, t.type, version, t.handled_by, t.edit_level`.execute(db)
  await sql`
    INSERT INTO answer_roll_ups (workspace_id, until) VALUES (${workspaceId}, ${day}::date + 1)
    ON CONFLICT (workspace_id) DO UPDATE SET until = excluded.until`.execute(db)
  return true
}

/** `until`: all days before it are rolled up. null: no day is. */
export async function readRollUpState({ db, workspaceId }: Transaction) {
  const { rows } = await sql<{ today: string; until: string | null }>`
    SELECT ${dayOf(sql`app_now()`)}::text AS today,
      (SELECT until::text FROM answer_roll_ups WHERE workspace_id = ${workspaceId}) AS until`.execute(db)
  return rows[0]!
}
