import { type RawBuilder, sql } from 'kysely'
import type { Outcome } from '../../../contract/action.ts'
import type { EditLevel } from '../../../contract/edits/word-diff.ts'
import type { DecidedBy } from '../../../contract/task-answer.ts'
import type { Database, Transaction } from '../engine/database.ts'
import type { ClearedTask } from '../tasks/task-content.ts'

// Past days are read from roll-ups, the rest from the tasks, so the figures do not depend on whether the
// roll-up has run. Days are in UTC.

/** Delay after the end of a day, so that all of its answers have committed. */
const settleTime = sql.lit('5 minutes')
const closedDay = sql`((app_now() - ${settleTime}::interval) AT TIME ZONE 'UTC')::date`
const dayOf = (timestamp: RawBuilder<unknown>) => sql`(${timestamp} AT TIME ZONE 'UTC')::date`
export const startOf = (day: RawBuilder<unknown> | string) =>
  sql`(${day}::date::timestamp AT TIME ZONE 'UTC')`

/** The outcome that the sender declared. Missing ones are guessed on read, so that better rules apply to old data. */
const declaredOutcome = sql`
  coalesce((SELECT a ->> 'outcome' FROM task_contents c, json_array_elements(c.actions) a
    WHERE c.task_id = t.id AND a ->> 'id' = t.action_id LIMIT 1), '')`
/** durations.ts has the same formula. */
const bucket = sql`
  floor(4 * ln(greatest(extract(epoch FROM t.ended_at - t.created_at), 1)::float8) / ln(2::float8))::smallint`

export async function listWorkspacesToRollUp(
  database: Database,
  limit: number,
): Promise<{ workspaceId: string }[]> {
  return await database.allWorkspaces(async (db) => {
    const { rows } = await sql<{ workspaceId: string }>`
      SELECT w.id AS workspace_id FROM workspaces w LEFT JOIN answer_roll_ups r ON r.workspace_id = w.id
      WHERE EXISTS (SELECT FROM tasks t WHERE t.workspace_id = w.id AND t.status = 'handled'
        AND t.ended_at >= coalesce(${startOf(sql`r.until`)}, '-infinity') AND t.ended_at < ${startOf(closedDay)})
      LIMIT ${limit}`.execute(db)
    return rows
  })
}

/** Serializes changes to roll-ups of a workspace. False if another process has the lock. */
export async function lockRollUps({ db, workspaceId }: Transaction, wait = true): Promise<boolean> {
  const lock = sql.raw(wait ? 'pg_advisory_xact_lock' : 'pg_try_advisory_xact_lock')
  const { rows } = await sql<{ free: boolean | '' }>`
    SELECT ${lock}(hashtextextended(${`roll-up ${workspaceId}`}, 0)) AS free`.execute(db)
  return rows[0]!.free !== false
}

/** Replaces action titles by ids in the roll-ups. The caller holds lockRollUps. */
export async function clearActionTitles(
  { db, workspaceId }: Transaction,
  tasks: ClearedTask[],
): Promise<void> {
  const answers = tasks
    .filter(({ actionId, actionTitle }) => actionId !== actionTitle && !actionId?.startsWith('service:'))
    .map((task) => ({ ...task, day: task.endedAt.toISOString().slice(0, 10) }))
  if (answers.length === 0) return
  await sql`
    WITH cleared AS (
      SELECT day, app, type, coalesce(version, '') AS version, "handledBy" AS handled_by, "decidedBy" AS decided_by,
        "actionId" AS action_id, "actionTitle" AS action_title, coalesce("declaredOutcome", '') AS declared, outcome,
        count(*)::int AS answers
      FROM json_to_recordset(${JSON.stringify(answers)}::json) AS t (day date, app text, type text, version text,
        "handledBy" text, "decidedBy" text, "actionId" text, "actionTitle" text, "declaredOutcome" text, outcome text)
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    ), reduced AS (
      UPDATE answer_days d SET answers = d.answers - cleared.answers FROM cleared
      WHERE d.workspace_id = ${workspaceId} AND d.day = cleared.day AND d.app = cleared.app AND d.type = cleared.type
        AND d.version = cleared.version AND d.handled_by = cleared.handled_by AND d.decided_by = cleared.decided_by
        AND d.action_id = cleared.action_id AND d.action_title = cleared.action_title AND d.outcome = cleared.declared
      RETURNING d.day, d.app, d.type, d.version, d.handled_by, d.decided_by, d.action_id, cleared.outcome, cleared.answers, d.began_at
    )
    INSERT INTO answer_days AS existing
    SELECT ${workspaceId}, day, app, type, version, handled_by, decided_by, action_id, action_id, outcome, sum(answers),
      min(began_at)
    FROM reduced GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    ON CONFLICT (workspace_id, day, app, type, version, handled_by, decided_by, action_id, action_title, outcome)
    DO UPDATE SET answers = existing.answers + excluded.answers, began_at = least(existing.began_at, excluded.began_at)`.execute(
    db,
  )
  await sql`
    DELETE FROM answer_days WHERE workspace_id = ${workspaceId} AND answers <= 0
      AND day = ANY (${[...new Set(answers.map(({ day }) => day))]}::date[])`.execute(db)
}

/**
 * Rolls up the oldest completed day. False if there is none or another process has the lock. The lock is
 * advisory: a row lock would assign a transaction id and delay readers of the event log. COALESCE is
 * inside the subquery: in the outer condition row-level security would prevent the index scan.
 */
export async function rollUpNextDay(tx: Transaction): Promise<boolean> {
  const { db, workspaceId } = tx
  if (!(await lockRollUps(tx, false))) return false
  const { rows } = await sql<{ day: string }>`
    SELECT ${dayOf(sql`t.ended_at`)}::text AS day FROM tasks t WHERE t.workspace_id = ${workspaceId} AND t.status = 'handled'
      AND t.ended_at >= (SELECT coalesce(max(${startOf(sql`until`)}), '-infinity') FROM answer_roll_ups WHERE workspace_id = ${workspaceId})
      AND t.ended_at < ${startOf(closedDay)}
    ORDER BY t.ended_at LIMIT 1`.execute(db)
  const day = rows[0]?.day
  if (day === undefined) return false
  const isOnDay = sql`t.workspace_id = ${workspaceId} AND t.status = 'handled'
    AND t.ended_at >= ${startOf(day)} AND t.ended_at < ${startOf(day)} + interval '1 day'`
  // Ordered by key, so that index neighbors are on the same page: otherwise 30 days are read row by row.
  await sql`
    INSERT INTO answer_days
    SELECT t.workspace_id, ${day}::date, t.app, t.type, coalesce(t.version, ''), t.handled_by, t.decided_by, t.action_id,
      t.action_title, ${declaredOutcome}, count(*), min(t.created_at)
    FROM tasks t WHERE ${isOnDay} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 ORDER BY 3, 4, 5, 7, 8, 9, 10, 6`.execute(
    db,
  )
  await sql`
    INSERT INTO answer_time_days
    SELECT t.workspace_id, ${day}::date, t.app, t.type, coalesce(t.version, ''), t.handled_by, ${bucket}, count(*)
    FROM tasks t WHERE ${isOnDay} AND t.decided_by = 'human' GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 3, 4, 5, 6, 7`.execute(
    db,
  )
  await sql`
    INSERT INTO answer_edit_days
    SELECT t.workspace_id, ${day}::date, t.app, t.type, coalesce(t.version, ''), t.handled_by, t.edit_level, count(*)
    FROM tasks t WHERE ${isOnDay} AND t.decided_by = 'human' AND t.edit_level IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 3, 4, 5, 6, 7`.execute(
    db,
  )
  await sql`
    INSERT INTO answer_roll_ups VALUES (${workspaceId}, ${day}::date + 1)
    ON CONFLICT (workspace_id) DO UPDATE SET until = excluded.until`.execute(db)
  return true
}

export type StatisticsFilters = {
  /** The first and the last day, as 2026-11-15. */
  from: string
  to: string
  app?: string | undefined
  type?: string | undefined
  version?: string | undefined
  handledBy?: string | undefined
}

type ActionKey = {
  decidedBy: DecidedBy
  actionId: string
  actionTitle: string
  outcome: string
  /** By an admin. */
  setOutcome?: Outcome | null
  answers: number
}
export type DayCount = ActionKey & { day: string }
export type VersionCount = ActionKey & {
  app: string
  type: string
  version: string
  firstDay: string
  lastDay: string
  /** When the first of these tasks was created, in milliseconds. Which version is the newest depends on it. */
  beganAt: number
}

/** The days to count. */
export type CountedDays = StatisticsFilters & {
  /** The first day that is read from the tasks. Earlier ones are rolled up. */
  live: string
}

/** Today, and the day before which all days are rolled up. Null: none is. */
export async function readRollUpState({ db, workspaceId }: Transaction) {
  const { rows } = await sql<{ today: string; until: string | null }>`
    SELECT ${dayOf(sql`app_now()`)}::text AS today,
      (SELECT until::text FROM answer_roll_ups WHERE workspace_id = ${workspaceId}) AS until`.execute(db)
  return rows[0]!
}

export function filterConditions(table: string, filters: StatisticsFilters): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const parts = [
    filters.app !== undefined && sql`AND ${column('app')} = ${filters.app}`,
    filters.type !== undefined && sql`AND ${column('type')} = ${filters.type}`,
    filters.version !== undefined && sql`AND ${column('version')} = ${filters.version}`,
    filters.handledBy !== undefined && sql`AND ${column('handled_by')} = ${filters.handledBy}`,
  ].filter((part) => part !== false)
  return sql.join(parts, sql` `)
}

// Roll-ups are first grouped in the order of an index, which takes half the time of hashing every row.

/** Rolled-up days as `d`. */
function isRolledUp(tx: Transaction, filters: CountedDays): RawBuilder<unknown> {
  return sql`d.workspace_id = ${tx.workspaceId} AND d.day >= ${filters.from}::date AND d.day <= ${filters.to}::date
    AND d.day < ${filters.live}::date ${filterConditions('d', filters)}`
}

/** Tasks of the other days as `t`. */
function isLive(tx: Transaction, filters: CountedDays): RawBuilder<unknown> {
  return sql`t.workspace_id = ${tx.workspaceId} AND t.status = 'handled' AND t.ended_at >= ${startOf(filters.live)}
    AND t.ended_at < ${startOf(filters.to)} + interval '1 day' ${filterConditions('t', filters)}`
}

/**
 * Answers by day and action, and by pair, version and action. `isAnySet`: whether admins set outcomes, which are only then
 * joined.
 */
export async function countAnswers(tx: Transaction, filters: CountedDays, isAnySet: boolean) {
  const setOutcome = sql.raw(isAnySet ? ', set_outcome' : '')
  const settings = isAnySet
    ? sql`LEFT JOIN (SELECT app, type, action_id, outcome AS set_outcome FROM action_outcomes
        WHERE workspace_id = ${tx.workspaceId}) o USING (app, type, action_id)`
    : sql``
  const { rows } = await sql<DayCount & VersionCount & { isByDay: boolean }>`
    WITH cells AS (
      SELECT d.day, d.app, d.type, d.version, d.decided_by, d.action_id, d.action_title, d.outcome, sum(d.answers)::int AS answers,
        min(d.began_at) AS began_at
      FROM answer_days d WHERE ${isRolledUp(tx, filters)}
      GROUP BY d.day, d.app, d.type, d.version, d.decided_by, d.action_id, d.action_title, d.outcome
      UNION ALL
      SELECT ${dayOf(sql`t.ended_at`)}, t.app, t.type, coalesce(t.version, ''), t.decided_by, t.action_id,
        t.action_title, ${declaredOutcome}, 1, t.created_at
      FROM tasks t WHERE ${isLive(tx, filters)}
    )
    SELECT grouping(day) = 0 AS is_by_day, day::text, app, type, version, decided_by, action_id,
      action_title, outcome, sum(answers)::int AS answers, min(day)::text AS first_day, max(day)::text AS last_day,
      extract(epoch FROM min(began_at))::float8 * 1000 AS began_at ${setOutcome}
    FROM cells ${settings} GROUP BY GROUPING SETS (
      (day, decided_by, action_id, action_title, outcome ${setOutcome}),
      (app, type, version, decided_by, action_id, action_title, outcome ${setOutcome}))
    -- A stable order for rows with equal counts.
    ORDER BY day, app, type, version, action_id, action_title, outcome`.execute(tx.db)
  return {
    byDay: rows.filter(({ isByDay }) => isByDay) as DayCount[],
    byVersion: rows.filter(({ isByDay }) => !isByDay) as VersionCount[],
  }
}

/** The people with the most answers. */
export async function countPeople(tx: Transaction, filters: CountedDays, limit: number) {
  const { rows } = await sql<{ person: string; answers: number }>`
    SELECT person, sum(answers)::int AS answers FROM (
      SELECT d.handled_by AS person, sum(d.answers)::int AS answers FROM answer_days d
      WHERE ${isRolledUp(tx, filters)} AND d.decided_by = 'human' GROUP BY d.day, d.handled_by
      UNION ALL
      SELECT t.handled_by, 1 FROM tasks t WHERE ${isLive(tx, filters)} AND t.decided_by = 'human'
    ) people GROUP BY person ORDER BY sum(answers) DESC, person LIMIT ${limit}`.execute(tx.db)
  return rows
}

export async function countTimes(tx: Transaction, filters: CountedDays) {
  const { rows } = await sql<{ day: string; bucket: number; answers: number }>`
    SELECT times.day::text, bucket, sum(answers)::int AS answers FROM (
      SELECT d.day, d.bucket, sum(d.answers)::int AS answers FROM answer_time_days d
      WHERE ${isRolledUp(tx, filters)} GROUP BY d.day, d.bucket
      UNION ALL
      SELECT ${dayOf(sql`t.ended_at`)}, ${bucket}, 1 FROM tasks t WHERE ${isLive(tx, filters)} AND t.decided_by = 'human'
    ) times GROUP BY times.day, bucket`.execute(tx.db)
  return rows
}

/** Answers with prefilled fields, by version and by how much of their text was changed. */
export async function countEdits(tx: Transaction, filters: CountedDays) {
  const { rows } = await sql<{ version: string; level: EditLevel; answers: number }>`
    SELECT version, level, sum(answers)::int AS answers FROM (
      SELECT d.version, d.level, d.answers FROM answer_edit_days d WHERE ${isRolledUp(tx, filters)}
      UNION ALL
      SELECT coalesce(t.version, ''), t.edit_level, 1 FROM tasks t
      WHERE ${isLive(tx, filters)} AND t.decided_by = 'human' AND t.edit_level IS NOT NULL
    ) edits GROUP BY version, level`.execute(tx.db)
  return rows
}

/** Counting stops at `max`. */
export async function countOpen(tx: Transaction, filters: StatisticsFilters, max: number) {
  const open = sql`FROM tasks t WHERE t.workspace_id = ${tx.workspaceId} AND t.status = 'open'
    ${filterConditions('t', { ...filters, handledBy: undefined })}`
  const { rows } = await sql<{ count: number; oldest: Date | null }>`
    SELECT (SELECT count(*)::int FROM (SELECT ${open} LIMIT ${max + 1}) counted) AS count,
      (SELECT t.created_at ${open} ORDER BY t.created_at LIMIT 1) AS oldest`.execute(tx.db)
  return rows[0]!
}
