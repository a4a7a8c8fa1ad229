import { findTemporaryTablesRole } from '../storage/engine/apply-start-up-sql.ts'
import { oldestUnsettledSeconds } from '../storage/events/event-log.ts'
import type { Service } from './service.ts'

const timeoutMilliseconds = 2_000
const degradedAfterSeconds = 5

/**
 * Degraded means that an event has been waiting more than five seconds for an older transaction, so
 * readers of the event log lag behind.
 */
export async function checkDatabase({ database }: Service): Promise<'ok' | 'degraded' | 'failed'> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<'failed'>((resolve) => {
    timer = setTimeout(() => resolve('failed'), timeoutMilliseconds)
  })
  const check = oldestUnsettledSeconds(database).then(
    (seconds) => (seconds > degradedAfterSeconds ? ('degraded' as const) : ('ok' as const)),
    () => 'failed' as const,
  )
  const status = await Promise.race([check, timedOut])
  clearTimeout(timer)
  return status
}

/**
 * For `handrail doctor`: the role that requests run as, if it may create temporary tables;
 * otherwise undefined. A service that owns the database and uses a separate role for requests
 * revokes this privilege at start.
 */
export function temporaryTablesRole({ database }: Service): Promise<string | undefined> {
  return findTemporaryTablesRole(database.owner, database.roleMode)
}
