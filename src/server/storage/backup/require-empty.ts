import { BackupError } from './backup-error.ts'
import type { Connection } from './connection.ts'
import { backedUpTables, excludedTables } from './tables.ts'

/**
 * Data is only loaded into a database without any of our tables, so nothing is ever merged or
 * overwritten. `hint` says how the operator chooses another database.
 */
export async function requireEmpty(client: Connection, hint: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relname = ANY ($1) ORDER BY 1`,
    [[...backedUpTables, ...excludedTables]],
  )
  if (rows.length === 0) return
  const existing = rows.map(({ name }) => name)
  const contents =
    existing.includes('migrations') && existing.includes('tasks')
      ? await summarize(client)
      : existing.join(', ')
  throw new BackupError(
    `The database ${client.description} is not empty: it contains ${contents}. Nothing was changed; ` +
      `use an empty database (${hint}).`,
  )
}

async function summarize(client: Connection): Promise<string> {
  await client.query('SET handrail.crossing = on') // row security would hide the tasks
  const { rows } = await client.query<{ workspaces: string; people: string; tasks: string }>(
    `SELECT (SELECT count(*) FROM workspaces) AS workspaces, (SELECT count(*) FROM users) AS people,
       (SELECT count(*) FROM tasks) AS tasks`,
  )
  const { workspaces, people, tasks } = rows[0]!
  return `Handrail data (workspaces: ${workspaces}, people: ${people}, tasks: ${tasks})`
}
