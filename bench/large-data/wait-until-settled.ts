import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

// The service starts to roll up past days within a minute. For 1,000,000 tasks, a busy machine
// takes several minutes more.
const timeoutMinutes = 10

/**
 * Waits until the service has rolled up past days and chained the audit log, then runs VACUUM and
 * CHECKPOINT. Measurements would otherwise include this work.
 */
export async function waitUntilSettled(
  databaseUrl: string,
  workspaceId: string,
  showProgress: (text: string) => void,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'large data' })
  await client.connect()
  try {
    const deadline = Date.now() + timeoutMinutes * 60_000
    for (
      let remaining = await remainingWork(client, workspaceId);
      remaining;
      remaining = await remainingWork(client, workspaceId)
    ) {
      if (Date.now() > deadline)
        throw new Error(`The service has not caught up in ${timeoutMinutes} minutes: ${remaining}.`)
      showProgress(`waiting for the service: ${remaining}`)
      await sleep(2_000)
    }
    showProgress('running VACUUM and CHECKPOINT')
    await client.query('VACUUM ANALYZE')
    await client.query('CHECKPOINT')
  } finally {
    await client.end()
  }
}

/** Describes work that the service still has to do, or returns undefined. */
async function remainingWork(client: pg.Client, workspaceId: string): Promise<string | undefined> {
  // A day is rolled up five minutes after its end at the earliest (storage/feedback/roll-ups).
  const { rows } = await client.query<{ isRolledUp: boolean; unchained: number }>(
    `SELECT EXISTS (SELECT FROM answer_roll_ups WHERE workspace_id = $1
         AND until >= ((now() - interval '5 minutes') AT TIME ZONE 'UTC')::date) AS "isRolledUp",
       (SELECT count(*)::integer FROM audit_log WHERE seq IS NULL) AS unchained`,
    [workspaceId],
  )
  const { isRolledUp, unchained } = rows[0]!
  if (unchained > 0) return `${unchained.toLocaleString('en')} audit entries to chain`
  return isRolledUp ? undefined : 'past days to roll up'
}
