import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogger } from '../../lib/logger.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Database } from '../../storage/engine/database.ts'
import { createWaits } from './waits.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('while the database is slow, lost wake-ups are looked for by one query at a time', async () => {
  let respond = (_: object[]) => {}
  const prepared = vi.fn(
    () =>
      new Promise<object[]>((resolve) => {
        respond = resolve
      }),
  )
  const database = { wakeUps: { listen: () => () => {} }, statementAs: () => ({ prepared }) }
  const { signal } = new AbortController()
  const metrics = { waits: { set: () => {} } }
  const waits = createWaits(
    database as unknown as Database,
    signal,
    metrics as unknown as Metrics,
    createLogger('silent'),
  )
  const { ended, stop } = waits.startWait('tsk_1', 0, 600, signal)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(prepared).toHaveBeenCalledTimes(1)
  respond([])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(prepared).toHaveBeenCalledTimes(2)
  respond([{ id: 'tsk_1', hasEnded: true, newestQuestion: null }])
  await ended
  stop()
})
