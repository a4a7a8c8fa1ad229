import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Action } from '../../../contract/action.ts'
import { limits } from '../../../contract/limits.ts'
import {
  maxListedRules,
  type PausedBecause,
  type RuleCondition,
  type RuleVersion,
} from '../../../contract/rules/rule.ts'
import type { Database, Transaction } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'

/** An active or paused rule, as new tasks are compared with it. */
export type StandingRule = {
  id: string
  state: 'active' | 'paused'
  app: string
  type: string
  conditions: RuleCondition[]
  versions: string[] | null
  action: Pick<Action, 'id' | 'title'>
  data: Record<string, unknown> | null
  actionsDigest: string
  sample: number
  until: string
  generation: number
  /**
   * The versions of the agent that have passed: enough answers in a row agreed with the rule. ''
   * stands for tasks without a version. The rule answers only tasks of these versions.
   */
  passed: string[]
}

/** A subquery: the rules of the workspace that have not ended, as JSON, oldest first. */
export const selectStandingRules = (workspaceId: string) => sql`
  SELECT json_agg(json_build_object('id', id, 'state', state, 'app', app, 'type', type, 'conditions', conditions, 'versions', versions,
    'action', action, 'data', data, 'actionsDigest', actions_digest, 'sample', sample, 'until', until, 'generation', generation,
    'passed', ARRAY(SELECT version FROM rule_versions v WHERE v.rule_id = rules.id AND passed_at IS NOT NULL))
    ORDER BY created_at, id)
  FROM rules WHERE workspace_id = ${workspaceId} AND state <> 'ended'`

/**
 * SQL aggregate over the open samples of a rule: whether the rule rests, because there are too many
 * of them or one has been open for too long. While a rule rests, people answer all its tasks.
 */
export const isResting = `coalesce(count(*) >= ${limits.ruleOpenSamples}
  OR min(drawn_at) < app_now() - interval '${limits.ruleSampleHours} hours', false)`

export type RuleRow = Selectable<Schema['rules']>

/** Call before raiseSettingsVersion, so that all transactions lock in the same order. */
export function lockRule(tx: Transaction, id: string): Promise<RuleRow | undefined> {
  return tx.db
    .selectFrom('rules')
    .selectAll()
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export function lockActiveRules(tx: Transaction): Promise<RuleRow[]> {
  return tx.db
    .selectFrom('rules')
    .selectAll()
    .where('workspaceId', '=', tx.workspaceId)
    .where('state', '=', 'active')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Active and paused rules of an app and type. */
export function listRulesOf(
  tx: Transaction,
  { app, type }: { app: string; type: string },
): Promise<Pick<RuleRow, 'conditions' | 'versions' | 'actionsDigest'>[]> {
  return tx.db
    .selectFrom('rules')
    .select(['conditions', 'versions', 'actionsDigest'])
    .where('workspaceId', '=', tx.workspaceId)
    .where('app', '=', app)
    .where('type', '=', type)
    .where('state', '<>', 'ended')
    .execute()
}

type ColumnWithDefault =
  | 'state'
  | 'pausedBecause'
  | 'pausedAt'
  | 'pausedBy'
  | 'generation'
  | 'answered'
  | 'agreed'
export type NewRule = Omit<RuleRow, 'workspaceId' | 'createdAt' | ColumnWithDefault>

export async function insertRule(tx: Transaction, rule: NewRule): Promise<void> {
  const { conditions, action, data, evidence } = rule
  await tx.db
    .insertInto('rules')
    .values({
      ...rule,
      workspaceId: tx.workspaceId,
      conditions: JSON.stringify(conditions),
      action: JSON.stringify(action),
      data: data && JSON.stringify(data),
      evidence: JSON.stringify(evidence),
    })
    .execute()
}

export type RuleChange = Partial<
  Omit<RuleRow, 'id' | 'workspaceId' | 'app' | 'type' | 'createdBy' | 'createdAt'>
>

export async function updateRule(
  tx: Transaction,
  id: string,
  { conditions, action, data, evidence, ...change }: RuleChange,
): Promise<void> {
  await tx.db
    .updateTable('rules')
    .set({
      ...change,
      ...(conditions && { conditions: JSON.stringify(conditions) }),
      ...(action && { action: JSON.stringify(action) }),
      ...(data !== undefined && { data: data && JSON.stringify(data) }),
      ...(evidence && { evidence: JSON.stringify(evidence) }),
    })
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', id)
    .execute()
}

/** `userId`: the person who paused the rule, or null if the service or the operator did. */
export async function setPaused(
  tx: Transaction,
  id: string,
  because: PausedBecause,
  userId: string | null,
): Promise<void> {
  await tx.db
    .updateTable('rules')
    .set({ state: 'paused', pausedBecause: because, pausedAt: sql<Date>`app_now()`, pausedBy: userId })
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Across all workspaces: active rules whose `until` is over. */
export function findOverdueRules(database: Database, limit: number) {
  return database.allWorkspaces((db) =>
    db
      .selectFrom('rules')
      .select(['id', 'workspaceId'])
      .where('state', '=', 'active')
      .where('until', '<=', sql<Date>`app_now()`)
      .limit(limit)
      .execute(),
  )
}

/** Counts the active and paused rules of the workspace. */
export async function countRules({ db, workspaceId }: Transaction): Promise<number> {
  const { count } = await db
    .selectFrom('rules')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('workspaceId', '=', workspaceId)
    .where('state', '<>', 'ended')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Replaces the versions of a rule, each with the number of answers in a row that agree with the
 * rule.
 */
export async function setVersions(
  tx: Transaction,
  ruleId: string,
  versions: { version: string; agreedInRow: number }[],
): Promise<void> {
  await tx.db.deleteFrom('ruleVersions').where('ruleId', '=', ruleId).execute()
  if (versions.length === 0) return
  await tx.db
    .insertInto('ruleVersions')
    .values(
      versions.map(({ version, agreedInRow }) => ({
        workspaceId: tx.workspaceId,
        ruleId,
        version,
        agreedInRow,
        passedAt: agreedInRow >= limits.ruleNewVersionAgreements ? sql<Date>`app_now()` : null,
      })),
    )
    .execute()
}

/**
 * Counts whether an answer to a task of a version agrees with the rule. Returns true if the version
 * passes thereby.
 */
export async function countForVersion(
  { db, workspaceId }: Transaction,
  ruleId: string,
  version: string,
  agrees: boolean,
): Promise<boolean> {
  // A disagreement adds no row, because senders may send any number of versions.
  if (!agrees) {
    await sql`
      UPDATE rule_versions SET agreed_in_row = 0 WHERE rule_id = ${ruleId} AND version = ${version}`.execute(
      db,
    )
    return false
  }
  const { rows } = await sql<{ hasPassed: boolean }>`
    INSERT INTO rule_versions AS v (workspace_id, rule_id, version, agreed_in_row)
    VALUES (${workspaceId}, ${ruleId}, ${version}, 1)
    ON CONFLICT (rule_id, version) DO UPDATE SET
      agreed_in_row = v.agreed_in_row + 1,
      passed_at = CASE WHEN v.passed_at IS NULL AND v.agreed_in_row + 1 >= ${limits.ruleNewVersionAgreements}
        THEN app_now() ELSE v.passed_at END
    RETURNING coalesce(passed_at = app_now(), false) AS has_passed`.execute(db)
  return rows[0]!.hasPassed
}

/** A rule with its figures. */
export type RuleWithFigures = RuleRow & {
  createdByEmail: string | null
  pausedByEmail: string | null
  openSamples: number
  resting: boolean
  /**
   * Tasks that the rule answered, in total and in the last `ruleFigureDays`. Counting stops at
   * `ruleFigureCount`.
   */
  total: number
  lastDays: number
  /**
   * Tasks of the app and type that were created in the last `ruleFigureDays`. Counting stops at
   * `ruleFigureCount`.
   */
  tasksLastDays: number
  newVersions: RuleVersion[]
}

const shownVersions = 20

/**
 * At most `maxListedRules` rules: active and paused ones, newest first, then ended ones, newest
 * first.
 */
export async function readRules(
  { db, workspaceId }: Transaction,
  { ruleId }: { ruleId?: string } = {},
): Promise<RuleWithFigures[]> {
  const recent = sql`app_now() - make_interval(days => ${limits.ruleFigureDays})`
  const { rows } = await sql<RuleWithFigures>`
    WITH listed AS MATERIALIZED (
      SELECT * FROM rules WHERE workspace_id = ${workspaceId} ${ruleId === undefined ? sql`` : sql`AND id = ${ruleId}`}
      ORDER BY state = 'ended', created_at DESC, id DESC LIMIT ${maxListedRules}
    ),
    sent AS MATERIALIZED (
      SELECT app, type, (SELECT count(*)::int FROM (
        SELECT FROM tasks t WHERE t.workspace_id = ${workspaceId} AND t.app = r.app AND t.type = r.type AND t.created_at >= ${recent}
        LIMIT ${limits.ruleFigureCount}) t) AS tasks
      FROM (SELECT DISTINCT app, type FROM listed) r
    )
    SELECT r.*, creator.email AS created_by_email, pauser.email AS paused_by_email,
      samples.open AS open_samples, samples.resting, answers.total, answers.last_days, sent.tasks AS tasks_last_days,
      coalesce(versions.list, '[]') AS new_versions
    FROM listed r
    JOIN sent USING (app, type)
    LEFT JOIN users creator ON creator.id = r.created_by
    LEFT JOIN users pauser ON pauser.id = r.paused_by
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS open, ${sql.raw(isResting)} AS resting
      FROM rule_samples s WHERE s.rule_id = r.id AND s.kind = 'sample' AND s.judged_at IS NULL
    ) samples
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS total, count(*) FILTER (WHERE ended_at >= ${recent})::int AS last_days FROM (
        SELECT ended_at FROM tasks t WHERE t.workspace_id = ${workspaceId} AND t.rule_id = r.id
        ORDER BY ended_at DESC LIMIT ${limits.ruleFigureCount}) t
    ) answers
    CROSS JOIN LATERAL (
      SELECT json_agg(json_strip_nulls(json_build_object('version', version, 'agreedInRow', agreed_in_row,
        'passedAt', ${isoTime(sql`passed_at`)}, 'firstSeenAt', ${isoTime(sql`first_seen_at`)})) ORDER BY first_seen_at DESC, version DESC) AS list
      FROM (SELECT * FROM rule_versions v WHERE v.rule_id = r.id ORDER BY first_seen_at DESC, version DESC LIMIT ${shownVersions}) v
    ) versions
    ORDER BY r.state = 'ended', r.created_at DESC, r.id DESC`.execute(db)
  return rows
}

const isoTime = (column: RawBuilder<unknown>) =>
  sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
