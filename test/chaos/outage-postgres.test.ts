import { test } from 'vitest'
import { liveThroughOutage } from '../support/live-through-outage.ts'

test('PostgreSQL stopped for ten seconds costs ten seconds of 503, and nothing else', async () => {
  await liveThroughOutage(10)
})
