import { test } from 'vitest'
import { checkOutageRecovery } from '../support/outage-recovery.ts'

test('an outage of PostgreSQL of ten seconds causes ten seconds of 503 and nothing else', async () => {
  await checkOutageRecovery(10)
})
