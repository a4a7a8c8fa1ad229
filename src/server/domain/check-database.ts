import { mayCreateTemporaryTables } from '../storage/engine/row-security.ts'
import { oldestUnsettledSeconds } from '../storage/events/event-log.ts'
import type { Service } from './service.ts'

const patienceMilliseconds = 2_000
const lateSeconds = 5

/** Degraded: an event has waited over five seconds for an older transaction, so readers of the log are behind. */
export async function checkDatabase({ database }: Service): Promise<'ok' | 'degraded' | 'failed'> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<'failed'>((resolve) => {
    timer = setTimeout(() => resolve('failed'), patienceMilliseconds)
  })
  const look = oldestUnsettledSeconds(database).then(
    (seconds) => (seconds > lateSeconds ? ('degraded' as const) : ('ok' as const)),
    () => 'failed' as const,
  )
  const verdict = await Promise.race([look, tooLong])
  clearTimeout(timer)
  return verdict
}

/** For `handrail doctor`: the service takes this right away at start where it owns the database. */
export function requestsMayCreateTemporaryTables({ database }: Service): Promise<boolean> {
  return mayCreateTemporaryTables(database.owner)
}
