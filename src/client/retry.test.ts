import { afterEach, expect, it, vi } from 'vitest'
import { problemFromResponse } from './problem.ts'
import { retry } from './retry.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('does not retry at once if Retry-After exceeds the longest timer', async () => {
  vi.useFakeTimers()
  const stop = new AbortController()
  const headers = { 'retry-after': '9'.repeat(400) }
  const call = vi.fn(async () => {
    throw await problemFromResponse(new Response('', { status: 503, headers }))
  })
  const outcome = retry(call, { signal: stop.signal }).catch((reason: unknown) => reason)
  await vi.advanceTimersByTimeAsync(24 * 86_400_000)
  expect(call).toHaveBeenCalledOnce()
  stop.abort('stopped')
  expect(await outcome).toBe('stopped')
})

it('stops at once if the signal was aborted during the failed call', async () => {
  const stop = new AbortController()
  const call = vi.fn(async () => {
    stop.abort('stopped')
    throw await problemFromResponse(new Response('', { status: 503, headers: { 'retry-after': '3600' } }))
  })
  await expect(retry(call, { signal: stop.signal })).rejects.toBe('stopped')
  expect(call).toHaveBeenCalledOnce()
})
