import { afterEach, expect, test, vi } from 'vitest'
import { refreshRepeatedly } from './refresh.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a card that entered and left the view at once is not refreshed until it is seen again', async () => {
  vi.useFakeTimers()
  let report: (entries: { isIntersecting: boolean }[]) => void = () => undefined
  class Observer {
    constructor(callback: typeof report) {
      report = callback
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', Observer)
  const refresh = vi.fn(async () => 'open' as const)
  const end = refreshRepeatedly(refresh)
  report([{ isIntersecting: true }, { isIntersecting: false }])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(refresh).not.toHaveBeenCalled()
  report([{ isIntersecting: true }])
  expect(refresh).toHaveBeenCalledOnce()
  end()
})
