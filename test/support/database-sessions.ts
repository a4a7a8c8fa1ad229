import { query } from './sql.ts'

/** The number of client connections to a test's database by state. */
export async function databaseSessions(databaseUrl: string): Promise<Record<string, number>> {
  const rows = await query<{ state: string; count: number }>(
    databaseUrl,
    `SELECT coalesce(state, 'unknown') AS state, count(*)::integer AS count FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' GROUP BY 1`,
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

/** The number of connections to a test's database that are waiting for a lock. */
export async function lockWaits(databaseUrl: string): Promise<number> {
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return (await query(databaseUrl, waiting)).length
}
