import { afterEach, expect, test, vi } from 'vitest'
import { fetchInSession } from './api.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a rate-limited request is repeated after Retry-After, and not earlier', async () => {
  vi.useFakeTimers()
  const headers = { ratelimit: '"person";r=0;t=2', 'retry-after': '2' }
  const responses = [429, 429, 200].map((status) => new Response(null, { status, headers }))
  const fetch = vi.fn(async () => responses[fetch.mock.calls.length - 1]!)
  vi.stubGlobal('fetch', fetch)
  const response = fetchInSession('/api/v1/inbox', {})
  for (const calls of [1, 2]) {
    await vi.advanceTimersByTimeAsync(1_999)
    expect(fetch).toHaveBeenCalledTimes(calls)
    await vi.advanceTimersByTimeAsync(1)
    expect(fetch).toHaveBeenCalledTimes(calls + 1)
  }
  expect((await response).status).toBe(200)
})

test('a request that is aborted while it waits for the rate limit ends at once', async () => {
  vi.useFakeTimers()
  const headers = { ratelimit: '"default";r=0;t=30', 'retry-after': '30' }
  vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => {
    signal?.throwIfAborted()
    return new Response(null, { status: 429, headers })
  })
  const controller = new AbortController()
  const outcome = fetchInSession('/api/v1/export', { signal: controller.signal }).catch(
    ({ name }: Error) => name,
  )
  await vi.advanceTimersByTimeAsync(1_000)
  controller.abort()
  await vi.advanceTimersByTimeAsync(1)
  expect(await Promise.race([outcome, 'still waiting'])).toBe('AbortError')
})
