import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

// A minute until the service rolls up past days, and the time that takes for 1,000,000 tasks on a busy machine.
const timeoutMilliseconds = 600_000

/**
 * Waits until the service has rolled up past days and chained the audit log, then runs VACUUM and CHECKPOINT. An earlier
 * measurement would include this work.
 */
export async function settled(
  databaseUrl: string,
  workspaceId: string,
  showProgress: (text: string) => void,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'large data' })
  await client.connect()
  try {
    const deadline = Date.now() + timeoutMilliseconds
    for (let left = await leftToDo(client, workspaceId); left; left = await leftToDo(client, workspaceId)) {
      if (Date.now() > deadline) throw new Error(`The service has not caught up in ten minutes: ${left}.`)
      showProgress(`the service catches up: ${left}`)
      await sleep(2_000)
    }
    showProgress('running VACUUM and CHECKPOINT')
    await client.query('VACUUM ANALYZE')
    await client.query('CHECKPOINT')
  } finally {
    await client.end()
  }
}

/** What is still to be done, or undefined. */
async function leftToDo(client: pg.Client, workspaceId: string): Promise<string | undefined> {
  const { rows } = await client.query<{ counted: boolean; unchained: number }>(
    `SELECT EXISTS (SELECT FROM answer_roll_ups WHERE workspace_id = $1
         AND until >= ((now() - interval '5 minutes') AT TIME ZONE 'UTC')::date) AS counted,
       (SELECT count(*)::integer FROM audit_log WHERE seq IS NULL) AS unchained`,
    [workspaceId],
  )
  const { counted, unchained } = rows[0]!
  if (unchained > 0) return `${unchained.toLocaleString('en')} entries of the audit to chain`
  return counted ? undefined : 'days to count'
}
