import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Service } from '../domain/service.ts'
import { createLogger } from '../lib/logger.ts'
import { startSweep } from './sweep.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000)

function start(everySeconds: number, run: () => Promise<boolean>) {
  const service = { log: createLogger('silent'), draining: new AbortController().signal } as Service
  return startSweep(service, { name: 'test', everyMilliseconds: everySeconds * 1_000, run })
}

test('a sweep whose runs fail is unhealthy until one succeeds', async () => {
  const run = vi.fn(async () => false)
  const sweep = start(1, run)
  await seconds(2)
  run.mockRejectedValue(new Error('broken'))
  await seconds(20)
  expect(sweep.isHealthy()).toBe(true)
  await seconds(20)
  expect(sweep.isHealthy()).toBe(false)
  run.mockResolvedValue(false)
  await seconds(1)
  expect(sweep.isHealthy()).toBe(true)
  await sweep.close()
})

test('a sweep that has a long interval or a large backlog is healthy, one that never ends is not', async () => {
  let end: (hasMore: boolean) => void = () => undefined
  const run = vi.fn(
    () =>
      new Promise<boolean>((resolve) => {
        end = resolve
      }),
  )
  const sweep = start(600, run)
  await seconds(1_200)
  expect(sweep.isHealthy()).toBe(true)
  end(false)
  await seconds(599)
  expect(sweep.isHealthy()).toBe(true)
  await seconds(4_000)
  expect(sweep.isHealthy()).toBe(false)
  end(false)
  await sweep.close()
})

test('a run that leaves something is repeated at once', async () => {
  const run = vi.fn(async () => run.mock.calls.length < 3)
  const sweep = start(600, run)
  await seconds(1)
  expect(run).toHaveBeenCalledTimes(3)
  await sweep.close()
})
