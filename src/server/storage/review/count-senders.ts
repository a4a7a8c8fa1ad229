import { sql } from 'kysely'
import { idPrefixes } from '../../../contract/ids.ts'
import type { Transaction } from '../engine/database.ts'
import { selectPeopleBehind } from './people-behind.ts'

/** The tasks of one sender, app and type. */
type SentTasks = {
  app: string
  type: string
  count: number
  /** How many of them took at least `minutes`, or are open and that old. Cancelled ones do not count. */
  slow: number
  /** How many of them have an action for the deadline. */
  withDefault: number
  /** The people behind the sender, by id. */
  behind: string[]
}

/**
 * How many tasks of the last `days` each sender (an API key, a connected app or a person) sent, per
 * app and type, and how many took at least `minutes`. Reads the newest `max` tasks of the app and
 * type, if given.
 */
export async function countSenders(
  tx: Transaction,
  { app, type }: { app?: string | undefined; type?: string | undefined },
  { days, max, minutes }: { days: number; max: number; minutes: number | undefined },
): Promise<SentTasks[]> {
  const { db, workspaceId } = tx
  const sender = sql.ref('sent.createdBy')
  const ofApp = app === undefined ? sql`` : sql`AND app = ${app}`
  const ofType = type === undefined ? sql`` : sql`AND type = ${type}`
  const { rows } = await sql<SentTasks>`
    SELECT sent.app, sent.type, sent.count, sent.slow, sent.with_default, CASE WHEN starts_with(${sender}, ${idPrefixes.person})
      THEN ARRAY[${sender}] ELSE ARRAY(${selectPeopleBehind(tx, sender)}) END AS behind
    FROM (
      SELECT app, type, created_by, count(*)::int AS count, (count(*) FILTER (WHERE status <> 'cancelled'
          AND coalesce(ended_at, app_now()) >= created_at + make_interval(mins => ${minutes ?? null}::int)))::int AS slow,
        (count(*) FILTER (WHERE on_expire IS NOT NULL))::int AS with_default
      FROM (
        SELECT app, type, created_by, status, created_at, ended_at, on_expire FROM tasks
        WHERE workspace_id = ${workspaceId} ${ofApp} ${ofType} AND created_at > app_now() - make_interval(days => ${days})
        ORDER BY created_at DESC LIMIT ${max}) newest
      GROUP BY app, type, created_by) sent`.execute(db)
  return rows
}
