import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { refreshRepeatedly } from './refresh.ts'

let report: (entries: { isIntersecting: boolean }[]) => void
beforeEach(() => {
  vi.useFakeTimers()
  class Observer {
    constructor(callback: typeof report) {
      report = callback
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', Observer)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a card that entered and left the view at once is not refreshed until it is seen again', async () => {
  const refresh = vi.fn(async () => 'open' as const)
  const end = refreshRepeatedly(refresh)
  report([{ isIntersecting: true }, { isIntersecting: false }])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(refresh).not.toHaveBeenCalled()
  report([{ isIntersecting: true }])
  expect(refresh).toHaveBeenCalledOnce()
  end()
})

test('a card is refreshed at most 30 times, fewer times if the task ends or three calls in a row fail', async () => {
  const day = 86_400_000
  const refresh = vi.fn<() => Promise<'open' | 'ended' | 'failed'>>(async () => 'open')
  refreshRepeatedly(refresh)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(refresh).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(day)
  expect(refresh).toHaveBeenCalledTimes(30)

  refresh.mockReset().mockResolvedValueOnce('open').mockResolvedValueOnce('ended')
  refreshRepeatedly(refresh)
  await vi.advanceTimersByTimeAsync(day)
  expect(refresh).toHaveBeenCalledTimes(2)

  refresh
    .mockReset()
    .mockResolvedValue('failed')
    .mockResolvedValueOnce('failed')
    .mockResolvedValueOnce('open')
  refreshRepeatedly(refresh)
  await vi.advanceTimersByTimeAsync(day)
  expect(refresh).toHaveBeenCalledTimes(5)
})
