import { type RawBuilder, sql } from 'kysely'
import type { Outcome } from '../../../contract/action.ts'
import type { EditLevel } from '../../../contract/edits/word-diff.ts'
import type { DecidedBy } from '../../../contract/task-answer.ts'
import type { Transaction } from '../engine/database.ts'
import { declaredOutcome } from '../tasks/declared-outcome.ts'
import { bucket, dayOf, startOf } from './roll-ups.ts'

// Days that are rolled up are read from roll-ups, later days from the tasks. So the figures are the
// same whether or not the roll-up has run. Days are in UTC.

export type StatisticsFilters = {
  /** The first and the last day, as 2026-11-15. */
  from: string
  to: string
  app?: string | undefined
  type?: string | undefined
  version?: string | undefined
  handledBy?: string | undefined
}

export type ActionCount = {
  decidedBy: DecidedBy
  actionId: string
  actionTitle: string
  /** The outcome that the sender declared. Empty: none. */
  outcome: string
  /** The outcome that an admin set for the action. */
  outcomeByAdmin?: Outcome | null
  answers: number
}
export type DayCount = ActionCount & { day: string }
export type VersionCount = ActionCount & {
  app: string
  type: string
  version: string
  firstDay: string
  lastDay: string
  /**
   * When the first of these tasks was created, in milliseconds. Which version is the newest depends
   * on it.
   */
  beganAt: number
}

export type CountedDays = StatisticsFilters & {
  /** The first day that is read from the tasks. Earlier days are rolled up. */
  liveFrom: string
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

/** Condition on the rows `d` of a roll-up that the filters select. */
function isRolledUp(tx: Transaction, filters: CountedDays): RawBuilder<unknown> {
  return sql`d.workspace_id = ${tx.workspaceId} AND d.day >= ${filters.from}::date AND d.day <= ${filters.to}::date
    AND d.day < ${filters.liveFrom}::date ${filterConditions('d', filters)}`
}

/**
 * Condition on the handled tasks `t` that the filters select, on days that are not read from
 * roll-ups.
 */
function isLive(tx: Transaction, filters: CountedDays): RawBuilder<unknown> {
  return sql`t.workspace_id = ${tx.workspaceId} AND t.status = 'handled' AND t.ended_at >= ${startOf(filters.liveFrom)}
    AND t.ended_at < ${startOf(filters.to)} + interval '1 day' ${filterConditions('t', filters)}`
}

/**
 * Answers by day and action, and by app, type, version and action. `hasOutcomesByAdmins`: whether
 * admins have set any outcomes; if not, their table is not joined. Roll-ups are first grouped in the
 * order of an index, which takes half the time of hashing every row.
 */
export async function countAnswers(tx: Transaction, filters: CountedDays, hasOutcomesByAdmins: boolean) {
  const outcomeByAdmin = sql.raw(hasOutcomesByAdmins ? ', outcome_by_admin' : '')
  const joinedOutcomes = hasOutcomesByAdmins
    ? sql`LEFT JOIN (SELECT app, type, action_id, outcome AS outcome_by_admin FROM action_outcomes
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
        t.action_title, coalesce(${declaredOutcome}, ''), 1, t.created_at
      FROM tasks t WHERE ${isLive(tx, filters)}
    )
    SELECT grouping(day) = 0 AS is_by_day, day::text, app, type, version, decided_by, action_id,
      action_title, outcome, sum(answers)::int AS answers, min(day)::text AS first_day, max(day)::text AS last_day,
      extract(epoch FROM min(began_at))::float8 * 1000 AS began_at ${outcomeByAdmin}
    FROM cells ${joinedOutcomes} GROUP BY GROUPING SETS (
      (day, decided_by, action_id, action_title, outcome ${outcomeByAdmin}),
      (app, type, version, decided_by, action_id, action_title, outcome ${outcomeByAdmin}))
    -- The callers sort by counts. This order decides between equal counts, and sorts days.
    ORDER BY day, app, type, version, action_id, action_title, outcome`.execute(tx.db)
  return {
    byDay: rows.filter(({ isByDay }) => isByDay) as DayCount[],
    byVersion: rows.filter(({ isByDay }) => !isByDay) as VersionCount[],
  }
}

/** The people with the most answers, at most `limit`. */
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

/** The number of open tasks, at most `max + 1`, and when the oldest of them was created. */
export async function countOpen(tx: Transaction, filters: StatisticsFilters, max: number) {
  const open = sql`FROM tasks t WHERE t.workspace_id = ${tx.workspaceId} AND t.status = 'open'
    ${filterConditions('t', { ...filters, handledBy: undefined })}`
  const { rows } = await sql<{ count: number; oldest: Date | null }>`
    SELECT (SELECT count(*)::int FROM (SELECT ${open} LIMIT ${max + 1}) counted) AS count,
      (SELECT t.created_at ${open} ORDER BY t.created_at LIMIT 1) AS oldest`.execute(tx.db)
  return rows[0]!
}
