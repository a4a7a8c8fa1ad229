import { expect, test, vi } from 'vitest'
import { joinSignals } from '../lib/joined-signal.ts'
import { createLogger } from '../lib/logger.ts'
import { download } from './download.ts'

async function* failingParts(cause: Error) {
  yield 'first line\n'
  throw cause
}

test('a download that fails ends with the cause, is logged once, and is released', async () => {
  const cause = new Error('the database is gone')
  const log = createLogger('silent')
  const logError = vi.spyOn(log, 'error')
  const { signal, abort } = joinSignals()
  const held = { signal, reauthenticate: async () => undefined, release: abort }
  const { stream } = download(
    log,
    { hold: () => held, requestId: 'req_1' },
    { contentType: 'text/csv', fileName: 'tasks.csv', parts: failingParts(cause) },
  )
  const reader = stream!.getReader()
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('first line\n')
  await expect(reader.read()).rejects.toBe(cause)
  expect(logError.mock.calls).toEqual([[{ err: cause, requestId: 'req_1' }, 'export failed']])
  expect(signal.aborted).toBe(true)
})
