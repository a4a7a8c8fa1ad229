import { describe, expect, test } from 'vitest'
import { retryDelaySeconds } from './retry-schedule.ts'

const hours = 3600

describe('the delay after a failed attempt', () => {
  const callbackDelays = (random: number) =>
    Array.from({ length: 8 }, (_, i) => retryDelaySeconds('callback', i + 1, 0, () => random))

  test('a callback is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h, then fails', () => {
    expect(callbackDelays(0.5)).toEqual([
      ...[5, 300, 1800, 2 * hours, 5 * hours, 10 * hours, 10 * hours],
      undefined,
    ])
  })

  test('each delay varies evenly by up to a fifth', () => {
    const middle = callbackDelays(0.5).slice(0, 7) as number[]
    expect(callbackDelays(0).slice(0, 7)).toEqual(middle.map((delay) => expect.closeTo(delay * 0.8, 5)))
    expect(callbackDelays(1).slice(0, 7)).toEqual(middle.map((delay) => expect.closeTo(delay * 1.2, 5)))
    const drawn = Array.from({ length: 1_000 }, () => retryDelaySeconds('callback', 1, 0)!)
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(4)
    expect(Math.max(...drawn)).toBeLessThanOrEqual(6)
    expect(new Set(drawn).size).toBeGreaterThan(900)
  })

  test('a notification is retried three times, within about half an hour, but in Slack like a callback', () => {
    const delays = (kind: 'mail' | 'push' | 'chat' | 'slack') =>
      Array.from({ length: 8 }, (_, i) => retryDelaySeconds(kind, i + 1, 0, () => 0.5))
    for (const kind of ['mail', 'push', 'chat'] as const)
      expect(delays(kind), kind).toEqual([5, 300, 1800, ...Array(5).fill(undefined)])
    expect(delays('slack')).toEqual(callbackDelays(0.5))
  })

  test('an sse delivery is retried after 1, 2, 5 s, every 10 s for ten minutes, every minute for 24 h, then fails', () => {
    expect([1, 2, 3, 4].map((attempts) => retryDelaySeconds('sse', attempts, 0))).toEqual([1, 2, 5, 10])
    const later = (ageSeconds: number) => retryDelaySeconds('sse', 60, ageSeconds)
    expect([599, 600, 24 * hours - 1, 24 * hours].map(later)).toEqual([10, 60, 60, undefined])
  })
})
