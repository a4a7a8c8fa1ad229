import { sql } from 'kysely'
import type { Database, Transaction } from '../engine/database.ts'

/**
 * Workspaces whose oldest event is older than `days`, except those with only one event, which
 * pruneEvents keeps.
 */
export async function listOutdatedLogs(database: Database, days: number): Promise<{ workspaceId: string }[]> {
  return await database.allWorkspaces(async (db) => {
    const { rows } = await sql<{ workspaceId: string }>`
      SELECT w.id AS workspace_id FROM workspaces w LEFT JOIN pruned_events p ON p.workspace_id = w.id
      CROSS JOIN LATERAL (
        SELECT min(created_at) AS created_at, count(*) AS count FROM (
          SELECT created_at FROM events e
          WHERE e.workspace_id = w.id
            AND (e.epoch, e.xid, e.id) > (coalesce(p.epoch, 0), coalesce(p.xid, 0), coalesce(p.id, 0))
          ORDER BY e.epoch, e.xid, e.id LIMIT 2
        ) first_two
      ) oldest
      WHERE oldest.count = 2 AND oldest.created_at < app_now() - make_interval(days => ${days})`.execute(db)
    return rows
  })
}

/**
 * Deletes up to `limit` events older than `days` and records the last position. The newest settled
 * event always stays: new readers start from it, and its transaction id reveals a restore
 * (engine/migrate.ts). Returns how many were deleted: 0 while another process is pruning this
 * workspace.
 */
export async function pruneEvents(
  { db, workspaceId }: Transaction,
  days: number,
  limit: number,
): Promise<number> {
  const { rows: found } = await sql<{ isFree: boolean; epoch: number; xid: string; id: string }>`
    SELECT is_free, coalesce(epoch, 0) AS epoch, coalesce(xid, 0) AS xid, coalesce(id, 0) AS id
    FROM pg_try_advisory_xact_lock(hashtextextended(${`prune ${workspaceId}`}, 0)) AS is_free
    LEFT JOIN pruned_events ON workspace_id = ${workspaceId}`.execute(db)
  const { isFree, epoch, xid, id } = found[0]!
  if (!isFree) return 0
  const { rows } = await sql<{ count: number }>`
    WITH page AS MATERIALIZED (
      SELECT e.epoch, e.xid, e.id, e.created_at FROM events e
      WHERE e.workspace_id = ${workspaceId}
        AND (e.epoch, e.xid, e.id) > (${epoch}::integer, ${xid}::bigint, ${id}::bigint)
        AND (e.epoch < app_epoch() OR e.xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint)
      ORDER BY e.epoch, e.xid, e.id LIMIT ${limit + 1}
    ), outdated AS (
      SELECT epoch, xid, id FROM (
        SELECT epoch, xid, id, lead(id) OVER oldest_first IS NOT NULL AS has_next,
          bool_and(created_at < app_now() - make_interval(days => ${days})) OVER oldest_first AS is_outdated
        FROM page WINDOW oldest_first AS (ORDER BY epoch, xid, id)
      ) candidates WHERE has_next AND is_outdated
    ), deleted AS (
      DELETE FROM events e USING outdated o
      WHERE e.workspace_id = ${workspaceId} AND e.epoch = o.epoch AND e.xid = o.xid AND e.id = o.id
    ), recorded AS (
      INSERT INTO pruned_events AS p (workspace_id, epoch, xid, id)
      SELECT ${workspaceId}, epoch, xid, id FROM outdated ORDER BY epoch DESC, xid DESC, id DESC LIMIT 1
      ON CONFLICT (workspace_id) DO UPDATE SET epoch = excluded.epoch, xid = excluded.xid, id = excluded.id
      WHERE (p.epoch, p.xid, p.id) < (excluded.epoch, excluded.xid, excluded.id)
    )
    SELECT count(*)::integer AS count FROM outdated`.execute(db)
  return rows[0]!.count
}
