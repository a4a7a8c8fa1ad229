import { sql } from 'kysely'
import { perDatabase } from '../engine/batcher.ts'
import type { Database, Transaction } from '../engine/database.ts'
import type { PolicySettings } from '../engine/schema.ts'

export type PolicyRow = { id: string; app: string | null; type: string | null; settings: PolicySettings }

/**
 * The policies of a workspace, and the version of its policies and groups together. After a failover that lost commits a version
 * may be assigned again, so it includes the epoch.
 */
export type Rules = { version: string; policies: PolicyRow[] }

const maxCached = 10_000
const caches = perDatabase(() => new Map<string, Promise<Rules>>())

/**
 * Cached without a time limit, because an insert with an outdated version writes nothing: the caller then forgets the
 * rules and repeats.
 */
export function findRules(database: Database, workspaceId: string): Promise<Rules> {
  const cache = caches(database)
  const cached = cache.get(workspaceId)
  if (cached) return cached
  const rules = database.inWorkspace(workspaceId, readRules)
  if (cache.size >= maxCached) cache.clear()
  cache.set(workspaceId, rules)
  rules.catch(() => cache.delete(workspaceId))
  return rules
}

export function forgetRules(database: Database, workspaceId: string): void {
  caches(database).delete(workspaceId)
}

/** One statement, so that version and policies are of the same moment. */
async function readRules({ db, workspaceId }: Transaction): Promise<Rules> {
  const { rows } = await sql<Rules>`
    SELECT app_epoch() || '/' || rules_version AS version, coalesce((
      SELECT json_agg(json_build_object('id', id, 'app', app, 'type', type, 'settings', settings)) FROM policies
      WHERE workspace_id = ${workspaceId}), '[]') AS policies
    FROM workspaces WHERE id = ${workspaceId}`.execute(db)
  return rows[0]!
}

/** Call before changing a group or a policy. Concurrent changes wait for each other. */
export async function raiseRulesVersion({ db, workspaceId }: Transaction): Promise<void> {
  await sql`UPDATE workspaces SET rules_version = rules_version + 1 WHERE id = ${workspaceId}`.execute(db)
}

export function listPolicies(tx: Transaction): Promise<PolicyRow[]> {
  return tx.db
    .selectFrom('policies')
    .select(['id', 'app', 'type', 'settings'])
    .where('workspaceId', '=', tx.workspaceId)
    .orderBy('app')
    .orderBy('type')
    .execute()
}

export async function insertPolicy(tx: Transaction, policy: PolicyRow): Promise<void> {
  await tx.db
    .insertInto('policies')
    .values({ ...policy, workspaceId: tx.workspaceId, settings: JSON.stringify(policy.settings) })
    .execute()
}

export async function updatePolicy(tx: Transaction, id: string, settings: PolicySettings): Promise<void> {
  await tx.db
    .updateTable('policies')
    .set({ settings: JSON.stringify(settings), updatedAt: sql<Date>`app_now()` })
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function deletePolicy(tx: Transaction, id: string): Promise<void> {
  await tx.db.deleteFrom('policies').where('workspaceId', '=', tx.workspaceId).where('id', '=', id).execute()
}
