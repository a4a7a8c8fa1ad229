import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import { createMetrics } from '../lib/metrics.ts'
import { eventStream } from './event-stream.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('every 15 seconds without events there is a heartbeat, also between batches that are empty', async () => {
  async function* batches() {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 10_000))
      yield []
    }
  }
  const service = { metrics: createMetrics(), log: createLogger('fatal') } as never
  const held = { signal: new AbortController().signal, release: () => undefined } as never
  const reader = eventStream(service, 'inbox', batches(), held).stream!.getReader()
  const read: string[] = []
  const reading = (async () => {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      read.push(new TextDecoder().decode(value))
    }
  })()
  await vi.advanceTimersByTimeAsync(46_000)
  expect(read).toEqual([
    'retry: 2000\nevent: hello\ndata: {}\n\n',
    ...Array.from({ length: 3 }, () => 'event: heartbeat\ndata: {}\n\n'),
  ])
  await reader.cancel()
  await reading
})
