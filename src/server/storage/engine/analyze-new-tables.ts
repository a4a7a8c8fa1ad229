import { sql } from 'kysely'
import type { Database } from './database.ts'

// With fewer tasks every plan is fast.
const minTasks = 100

/**
 * Without statistics the planner estimates one row per condition and may read the whole inbox per
 * thread. By default autovacuum runs once per minute, and a new service can receive a thousand
 * tasks before that. Returns whether the statistics exist.
 */
export async function analyzeTablesOnce({ owner, allWorkspaces }: Database): Promise<boolean> {
  const { rows } = await sql<{ analyzed: boolean }>`
    SELECT reltuples >= 0 AS analyzed FROM pg_class WHERE oid = 'tasks'::regclass`.execute(owner)
  if (rows[0]?.analyzed) return true
  const some = await allWorkspaces((db) => db.selectFrom('tasks').select('id').limit(minTasks).execute())
  if (some.length < minTasks) return false
  await sql`ANALYZE threads, tasks, task_contents, task_search, events`.execute(owner)
  return true
}
