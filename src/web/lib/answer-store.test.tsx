import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type * as Store from './answer-store.ts'

type OpenRequest = { result: object; onsuccess?: () => void; onerror?: () => void }
let requests: OpenRequest[]
let store: typeof Store

beforeEach(async () => {
  vi.useFakeTimers()
  vi.resetModules()
  requests = []
  vi.stubGlobal('indexedDB', {
    open: () => {
      const request = { result: {} }
      requests.push(request)
      return request
    },
  })
  store = await import('./answer-store.ts')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a database that could not be opened is opened again with the next answer', async () => {
  const first = store.canStore()
  requests[0]!.onerror!()
  expect(await first).toBe(false)
  const second = store.canStore()
  requests[1]!.onsuccess!()
  expect(await second).toBe(true)
})

test('a database that opens too late for one answer stores the next one', async () => {
  const first = store.canStore()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await first).toBe(false)
  requests[0]!.onsuccess!()
  expect(await store.canStore()).toBe(true)
  expect(requests).toHaveLength(1)
})
