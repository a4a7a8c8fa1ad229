import { describe, expect, test } from 'vitest'
import { waitAfter } from './retry-schedule.ts'

const hours = 3600

describe('how long to wait after a failed attempt', () => {
  const callbackWaits = (random: number) =>
    Array.from({ length: 8 }, (_, i) => waitAfter('callback', i + 1, 0, () => random))

  test('a callback: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h, and no more', () => {
    expect(callbackWaits(0.5)).toEqual([
      ...[5, 300, 1800, 2 * hours, 5 * hours, 10 * hours, 10 * hours],
      undefined,
    ])
  })

  test('each wait is up to a fifth shorter or longer, evenly', () => {
    const middle = callbackWaits(0.5).slice(0, 7) as number[]
    expect(callbackWaits(0).slice(0, 7)).toEqual(middle.map((wait) => expect.closeTo(wait * 0.8, 5)))
    expect(callbackWaits(1).slice(0, 7)).toEqual(middle.map((wait) => expect.closeTo(wait * 1.2, 5)))
    const drawn = Array.from({ length: 1_000 }, () => waitAfter('callback', 1, 0)!)
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(4)
    expect(Math.max(...drawn)).toBeLessThanOrEqual(6)
    expect(new Set(drawn).size).toBeGreaterThan(900)
  })

  test('a push: 1, 2, 5 s, each 10 s for ten minutes, each minute for 24 h, and no more', () => {
    expect([1, 2, 3, 4].map((attempts) => waitAfter('sse', attempts, 0))).toEqual([1, 2, 5, 10])
    const later = (ageSeconds: number) => waitAfter('sse', 60, ageSeconds)
    expect([599, 600, 24 * hours - 1, 24 * hours].map(later)).toEqual([10, 60, 60, undefined])
  })
})
