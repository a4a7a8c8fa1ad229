import { sql } from 'kysely'
import type { Database } from './database.ts'

// Below it any plan is quick.
const fewTasks = 100

/**
 * Of a table it has never looked at PostgreSQL believes that every condition leaves one row, and then it may read the whole inbox for each of its
 * threads. Its own daemon comes by once a minute; a new service gets its first thousand tasks in less. True: it knows the tables now.
 */
export async function analyzeNewTables({ owner, acrossWorkspaces }: Database): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    SELECT reltuples >= 0 AS known FROM pg_class WHERE oid = 'tasks'::regclass`.execute(owner)
  if (rows[0]?.known) return true
  const some = await acrossWorkspaces((db) => db.selectFrom('tasks').select('id').limit(fewTasks).execute())
  if (some.length < fewTasks) return false
  await sql`ANALYZE threads, tasks, task_contents, task_search, events`.execute(owner)
  return true
}
