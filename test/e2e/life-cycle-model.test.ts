import { afterAll, beforeAll, test } from 'vitest'
import { walkLifeCycle } from '../chaos/life-cycle/walk.ts'
import { startService, type TestService } from '../support/service.ts'

const allowed = { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' }

let here: TestService
let there: TestService
beforeAll(async () => {
  here = await startService(allowed)
  there = await startService({ DATABASE_URL: here.databaseUrl, ...allowed })
})
afterAll(async () => {
  await there.stop()
  await here.stop()
})

// `npm run test:chaos` takes longer walks.
test('random actions of agents and people at two nodes match a simple model', async () => {
  await walkLifeCycle(here, [here.url, there.url], { walks: 2, steps: 90, seconds: 90 })
}, 300_000)
