import { sql } from 'kysely'
import { idPrefixes } from '../../../contract/ids.ts'
import type { Transaction } from '../engine/database.ts'
import { selectPeopleBehind } from './people-behind.ts'

/** The tasks that one sender sent of one app and type. */
type TaskCount = {
  app: string
  type: string
  count: number
  /**
   * How many of them ended after `minutes` or later, or have been open for that long. Without
   * cancelled tasks.
   */
  slow: number
  /** How many of them have `onExpire`, an action for the deadline. */
  withOnExpire: number
  /** The people behind the sender, by id. */
  behind: string[]
}

/**
 * Counts the tasks of the last `days` per sender (an API key, a connected app or a person), app and
 * type. Reads at most the newest `max` tasks. `app` and `type` restrict the tasks that are read.
 */
export async function countTasksBySender(
  tx: Transaction,
  { app, type }: { app?: string | undefined; type?: string | undefined },
  { days, max, minutes }: { days: number; max: number; minutes: number | undefined },
): Promise<TaskCount[]> {
  const { db, workspaceId } = tx
  const sender = sql.ref('sent.createdBy')
  const ofApp = app === undefined ? sql`` : sql`AND app = ${app}`
  const ofType = type === undefined ? sql`` : sql`AND type = ${type}`
  const { rows } = await sql<TaskCount>`
    SELECT sent.app, sent.type, sent.count, sent.slow, sent.with_on_expire, CASE WHEN starts_with(${sender}, ${idPrefixes.person})
      THEN ARRAY[${sender}] ELSE ARRAY(${selectPeopleBehind(tx, sender)}) END AS behind
    FROM (
      SELECT app, type, created_by, count(*)::int AS count, (count(*) FILTER (WHERE status <> 'cancelled'
          AND coalesce(ended_at, app_now()) >= created_at + make_interval(mins => ${minutes ?? null}::int)))::int AS slow,
        (count(*) FILTER (WHERE on_expire IS NOT NULL))::int AS with_on_expire
      FROM (
        SELECT app, type, created_by, status, created_at, ended_at, on_expire FROM tasks
        WHERE workspace_id = ${workspaceId} ${ofApp} ${ofType} AND created_at > app_now() - make_interval(days => ${days})
        ORDER BY created_at DESC LIMIT ${max}) newest
      GROUP BY app, type, created_by) sent`.execute(db)
  return rows
}
