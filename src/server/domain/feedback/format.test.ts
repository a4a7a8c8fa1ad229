import { expect, test } from 'vitest'
import { formatPValue, hasPValue, number, points } from './format.ts'

test('points are rounded up, but whole ones stay as they are', () => {
  for (let whole = 0; whole <= 100; whole++)
    expect(points(whole / 100)).toBe(whole === 1 ? '1 point' : `${whole} points`)
  expect(points(0.0701)).toBe('8 points')
})

test('numbers have three digits, but at least the whole part, which is not grouped', () => {
  const written = [2026, 12_345, 0, -7, 1.2345, 0.0012, 1234.56].map(number)
  expect(written).toEqual(['2026', '12345', '0', '-7', '1.23', '0.0012', '1235'])
})

test('every p-value is recognized', () => {
  for (const p of [0, 0.0004, 0.03, 0.5, 1]) expect(hasPValue(formatPValue(p))).toBe(true)
})
