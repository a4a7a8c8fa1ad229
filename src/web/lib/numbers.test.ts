import { expect, test } from 'vitest'
import { exactPercent } from '../../contract/exact-percent.ts'
import { formatPoints } from './numbers.ts'

test('a share of whole percent is that number, so that it can be rounded up or down', () => {
  for (let whole = 0; whole <= 100; whole++) expect(exactPercent(whole / 100)).toBe(whole)
  expect(exactPercent(0.9999999)).toBeLessThan(100)
})

test('points are rounded up, but whole ones stay as they are', () => {
  expect([0.07, 0.0701, 0.29].map(formatPoints)).toEqual(['7 points', '8 points', '29 points'])
})
