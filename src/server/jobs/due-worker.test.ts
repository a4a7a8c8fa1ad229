import { once } from 'node:events'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import { startDueWorker } from './due-worker.ts'

const onWarning = vi.fn()
afterEach(() => {
  process.off('warning', onWarning)
})

const noListener = () => () => undefined

/** Work that ends when `end` is called. */
function endless() {
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const work = vi.fn(async (_: string, signal: AbortSignal) => {
    signal.addEventListener('abort', () => undefined)
    await ended
  })
  return { work, end: () => end() }
}

test('a row whose lease expired while it is worked on is not worked on twice', async () => {
  const claim = vi.fn(async () => (claim.mock.calls.length < 3 ? ['row'] : []))
  const { work, end } = endless()
  const worker = startDueWorker(
    { name: 'test', maxConcurrent: 2, claim, idOf: (row: string) => row, renew: async () => undefined, work },
    createLogger('silent'),
    noListener,
  )
  await vi.waitFor(() => expect(claim.mock.calls.length).toBeGreaterThan(2))
  end()
  await worker.close()
  expect(work).toHaveBeenCalledTimes(1)
})

test('rows that are worked on at the same time may all listen to the stop signal, without a warning', async () => {
  process.on('warning', onWarning)
  const rows = Array.from({ length: 20 }, (_, id) => String(id))
  const { work, end } = endless()
  const worker = startDueWorker(
    {
      name: 'test',
      maxConcurrent: rows.length,
      claim: async (limit) => rows.splice(0, limit),
      idOf: (row: string) => row,
      renew: async () => undefined,
      work,
    },
    createLogger('silent'),
    noListener,
  )
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(20))
  end()
  await worker.close()
  expect(onWarning).not.toHaveBeenCalled()
})

test('closing gives the work ten seconds, then aborts it', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const rows = ['row']
  const work = vi.fn((_: string, signal: AbortSignal) => once(signal, 'abort').then(() => undefined))
  const worker = startDueWorker(
    {
      name: 'test',
      maxConcurrent: 1,
      claim: async () => rows.splice(0),
      idOf: (row: string) => row,
      renew: async () => undefined,
      work,
    },
    createLogger('silent'),
    noListener,
  )
  await vi.waitFor(() => expect(work).toHaveBeenCalled())
  const closed = worker.close()
  await vi.advanceTimersByTimeAsync(9_900)
  const [, signal] = work.mock.calls[0]!
  expect(signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(100)
  expect(signal.aborted).toBe(true)
  await closed
})
