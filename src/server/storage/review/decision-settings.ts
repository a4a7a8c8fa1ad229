import { sql } from 'kysely'
import type { Database, Transaction } from '../engine/database.ts'
import { perDatabase } from '../engine/per-database.ts'
import { type StandingRule, selectStandingRules } from '../rules/rules.ts'
import type { PolicyRow } from './policies.ts'

/**
 * What decides about new tasks of a workspace, with one version for policies, groups and rules
 * together. It includes the epoch of the event log, because after a failover that lost commits the
 * same count may be reached again.
 */
export type DecisionSettings = { version: string; policies: PolicyRow[]; rules: StandingRule[] }

const maxCached = 10_000
const caches = perDatabase(() => new Map<string, Promise<DecisionSettings>>())

/**
 * Cached without a time limit, because an insert with an outdated version writes nothing: the
 * caller then calls forgetDecisionSettings and tries again.
 */
export function findDecisionSettings(database: Database, workspaceId: string): Promise<DecisionSettings> {
  const cache = caches(database)
  const cached = cache.get(workspaceId)
  if (cached) return cached
  const settings = database.inWorkspace(workspaceId, readSettings)
  if (cache.size >= maxCached) cache.clear()
  cache.set(workspaceId, settings)
  settings.catch(() => cache.delete(workspaceId))
  return settings
}

export function forgetDecisionSettings(database: Database, workspaceId: string): void {
  caches(database).delete(workspaceId)
}

/**
 * SQL for the version, in a query of `workspaces`. The column `rules_version` counts the changes of
 * policies and groups as well.
 */
export function settingsVersion(epoch: string): string {
  return `${epoch} || '/' || rules_version`
}

/** One statement, so that everything is from one snapshot. */
async function readSettings({ db, workspaceId }: Transaction): Promise<DecisionSettings> {
  const { rows } = await sql<DecisionSettings>`
    SELECT ${sql.raw(settingsVersion('app_epoch()'))} AS version, coalesce((
      SELECT json_agg(json_build_object('id', id, 'app', app, 'type', type, 'settings', settings)) FROM policies
      WHERE workspace_id = ${workspaceId}), '[]') AS policies,
      coalesce((${selectStandingRules(workspaceId)}), '[]') AS rules
    FROM workspaces WHERE id = ${workspaceId}`.execute(db)
  return rows[0]!
}

/** Call before changing a group, a policy or a rule. Concurrent changes wait for each other. */
export async function raiseSettingsVersion({ db, workspaceId }: Transaction): Promise<void> {
  await sql`UPDATE workspaces SET rules_version = rules_version + 1 WHERE id = ${workspaceId}`.execute(db)
}
