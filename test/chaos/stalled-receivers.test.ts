import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReceiver } from '../support/receiver.ts'
import { moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'

// Four times the timeout of an attempt, so that slots are freed and used again.
const seconds = 60

let service: TestService
let stalled: Awaited<ReturnType<typeof startReceiver>>[]
let receiver: Awaited<ReturnType<typeof startReceiver>>
let silent = true
beforeAll(async () => {
  const answer = (_: unknown, response: ServerResponse) => {
    if (!silent) response.writeHead(204).end()
  }
  stalled = await Promise.all(Array.from({ length: 100 }, () => startReceiver(answer)))
  receiver = await startReceiver()
  service = await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' })
}, 60_000)
afterAll(async () => {
  await Promise.all([...(stalled ?? []), receiver].map((one) => one?.stop()))
  await service?.stop()
})

async function answerTask(workspace: TestWorkspace, callbackUrl: string): Promise<void> {
  const { taskId } = (await workspace.agent.post('/tasks', taskPayload({ callbackUrl }))).body
  expect((await workspace.owner.post(`/tasks/${taskId}/mark-done`)).status).toBe(200)
}

test('100 receivers that never respond delay no one else, and their slots are freed', async () => {
  const [unlucky, lucky] = [await service.workspace(), await service.workspace()]
  await Promise.all(stalled.map(({ url }) => answerTask(unlucky, url)))
  const latencies: number[] = []
  const end = Date.now() + seconds * 1_000
  while (Date.now() < end) {
    await answerTask(lucky, receiver.url)
    const answered = Date.now()
    const calls = await receiver.calls(latencies.length + 1)
    latencies.push(calls.at(-1)!.at - answered)
    await sleep(250)
  }
  const sorted = latencies.toSorted((a, b) => a - b)
  const reached = stalled.filter(({ received }) => received.length > 0).length
  console.log(
    `${sorted.length} answers beside them: median ${sorted[sorted.length >> 1]} ms, slowest ${sorted.at(-1)} ms; ${reached} of 100 tried`,
  )
  // Behind a stalled receiver it would wait for the timeout of an attempt, 15 s. A busy machine may
  // need a few seconds.
  expect(sorted.at(-1)).toBeLessThan(10_000)
  // Ten at a time, 15 s each: four batches per minute, minus the start-up time.
  expect(reached).toBeGreaterThanOrEqual(30)

  silent = false
  const left = async () =>
    (
      await query<{ id: string }>(
        service.databaseUrl,
        `SELECT id FROM deliveries WHERE workspace_id = $1 AND (state <> 'delivered' OR leased_until > app_now())`,
        [unlucky.workspaceId],
      )
    ).length
  // Failed attempts are due again minutes later.
  await expect
    .poll(
      async () => {
        await moveClock(service.databaseUrl, '1 minute')
        return await left()
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBe(0)
})
