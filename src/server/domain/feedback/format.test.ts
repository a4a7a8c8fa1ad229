import { expect, test } from 'vitest'
import { points } from './format.ts'

test('points are rounded up, but whole ones stay as they are', () => {
  for (let whole = 0; whole <= 100; whole++)
    expect(points(whole / 100)).toBe(whole === 1 ? '1 point' : `${whole} points`)
  expect(points(0.0701)).toBe('8 points')
})
