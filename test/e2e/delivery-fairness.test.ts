import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startReceiver } from '../support/receiver.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

type Receiver = Awaited<ReturnType<typeof startReceiver>>

// Attempts in progress per workspace.
const maxConcurrentAttempts = 10

describe('one workspace’s dead receivers never delay another’s', () => {
  let service: TestService
  let stalled: Receiver[]
  let receiver: Receiver
  beforeAll(async () => {
    stalled = await Promise.all(Array.from({ length: 100 }, () => startReceiver(() => {})))
    receiver = await startReceiver()
    service = await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' })
  })
  afterAll(async () => {
    await Promise.all([...stalled, receiver].map((one) => one.stop()))
    await service.stop()
  })

  async function answerTask(workspace: TestWorkspace, callbackUrl: string): Promise<void> {
    const { taskId } = (await workspace.agent.post('/tasks', taskPayload({ callbackUrl }))).body
    expect((await workspace.owner.post(`/tasks/${taskId}/mark-done`)).status).toBe(200)
  }

  test('with 100 hanging receivers in one workspace, others get their first attempts without delay', async () => {
    const unlucky = await service.workspace()
    const others = await Promise.all(Array.from({ length: 3 }, () => service.workspace()))
    await Promise.all(stalled.map(({ url }) => answerTask(unlucky, url)))
    const attempts = () =>
      stalled.flatMap(({ received }) => received.map(({ at }) => at)).toSorted((a, b) => a - b)
    await expect.poll(() => attempts().length).toBeGreaterThanOrEqual(maxConcurrentAttempts)

    const latencies: number[] = []
    for (let i = 0; i < 30; i++) {
      await answerTask(others[i % others.length]!, receiver.url)
      const answeredAt = Date.now()
      const calls = await receiver.calls(i + 1)
      latencies.push(calls[i]!.at - answeredAt)
    }
    // Behind the hanging ones, whose attempts take 15 s, most would have waited longer.
    const median = latencies.toSorted((a, b) => a - b)[latencies.length / 2]!
    expect(median).toBeLessThan(10_000)
    expect(receiver.received).toHaveLength(30)
    // The hanging receivers were never all tried: another one starts only when an attempt has timed
    // out.
    const startTimes = attempts()
    expect(startTimes.length).toBeLessThan(100)
    for (const [i, at] of startTimes.slice(maxConcurrentAttempts).entries())
      expect(at - startTimes[i]!).toBeGreaterThan(7_500)
  })
})
