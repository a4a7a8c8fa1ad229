import { BackupError } from './backup-error.ts'
import type { Connection } from './connection.ts'
import { backedUp, leftBehind } from './tables.ts'

/** Only an empty database is loaded into: nothing is ever mixed or overwritten. */
export async function refuseOccupied(client: Connection): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relname = ANY ($1) ORDER BY 1`,
    [[...backedUp, ...leftBehind]],
  )
  if (rows.length === 0) return
  const there = rows.map(({ name }) => name)
  const what =
    there.includes('migrations') && there.includes('tasks') ? await figures(client) : there.join(', ')
  throw new BackupError(
    `The database ${client.place} is not empty. It holds ${what}. Nothing was changed. ` +
      'Name an empty one: another DATABASE_URL, or a new DATA_DIR.',
  )
}

async function figures(client: Connection): Promise<string> {
  const { rows } = await client.query<{ workspaces: string; people: string; tasks: string }>(
    `SELECT (SELECT count(*) FROM workspaces) AS workspaces, (SELECT count(*) FROM users) AS people,
       (SELECT count(*) FROM tasks) AS tasks`,
  )
  const { workspaces, people, tasks } = rows[0]!
  return `a Handrail with workspaces: ${workspaces}, people: ${people}, tasks: ${tasks}`
}
