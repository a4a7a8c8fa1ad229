import { afterEach, expect, test, vi } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import { startDueWorker } from './due-worker.ts'

const onWarning = vi.fn()
afterEach(() => {
  process.off('warning', onWarning)
})

test('rows that are worked on at the same time may all listen to the stop signal, without a warning', async () => {
  process.on('warning', onWarning)
  const rows = Array.from({ length: 20 }, (_, id) => String(id))
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const work = vi.fn(async (_: string, signal: AbortSignal) => {
    signal.addEventListener('abort', () => undefined)
    await ended
  })
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
    () => () => undefined,
  )
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(20))
  end()
  await worker.close()
  expect(onWarning).not.toHaveBeenCalled()
})
