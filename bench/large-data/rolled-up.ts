import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** Waits until the service has counted the days of a workspace that are over, which it does once a minute. */
export async function rolledUp(databaseUrl: string, workspaceId: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'large data' })
  await client.connect()
  try {
    for (;;) {
      const { rowCount } = await client.query(
        `SELECT FROM answer_roll_ups WHERE workspace_id = $1
           AND until >= ((now() - interval '5 minutes') AT TIME ZONE 'UTC')::date`,
        [workspaceId],
      )
      if (rowCount) return
      await sleep(500)
    }
  } finally {
    await client.end()
  }
}
