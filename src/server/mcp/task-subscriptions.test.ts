import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { Backend } from './backend.ts'
import { followTask } from './task-subscriptions.ts'

test('a backend that shuts down, and so ends waits early, is not asked again at once', async () => {
  const ended = new AbortController()
  const fetch = vi.fn(async () => {
    if (fetch.mock.calls.length === 100) ended.abort()
    return Response.json({ status: 'open' })
  })
  const backend = { fetch, backendUrl: 'http://backend' } as unknown as Backend
  const following = followTask(backend, 'wsp_1', 'tsk_1', () => undefined, ended.signal)
  await sleep(100)
  expect(fetch).toHaveBeenCalledTimes(1)
  ended.abort()
  await following
})
