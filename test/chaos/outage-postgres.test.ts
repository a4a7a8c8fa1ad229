import { test } from 'vitest'
import { checkOutageRecovery } from '../support/outage-recovery.ts'

test('PostgreSQL stopped for ten seconds costs ten seconds of 503, and nothing else', async () => {
  await checkOutageRecovery(10)
})
