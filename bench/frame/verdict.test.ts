import { expect, test } from 'vitest'
import { beside, spread } from './row.ts'
import { confidenceInterval, verdictOf } from './verdict.ts'

const atMostTen = { of: 'product', is: 'at most', value: 10 } as const
const judged = (rounds: number[]) =>
  verdictOf({ what: '', unit: 'ms', product: spread(rounds), targets: [atMostTen] })

test('rounds on one side of the target decide, rounds on both sides do not', () => {
  expect(judged([7, 8, 9])).toBe('met')
  expect(judged([11, 12, 13])).toBe('missed')
  expect(judged([9, 9, 12])).toBe('unsure')
})

test('one disturbed round among many changes nothing', () => {
  expect(judged([9, 9, 9, 12])).toBe('unsure')
  expect(judged([9, 9, 9, 9, 9, 9, 9, 12])).toBe('met')
})

test.each([
  [3, 1, 3],
  [5, 1, 5],
  [8, 2, 7],
  [11, 3, 9],
  [21, 7, 15],
])('of %i rounds the median lies between the %ith and the %ith with 90 % confidence', (count, low, high) => {
  const rounds = Array.from({ length: count }, (_, n) => count - n)
  expect(confidenceInterval(spread(rounds))).toEqual({ low, high })
})

test('the worst of several targets decides, and without a target there is no verdict', () => {
  const rounds = [
    { product: 8, baseline: 10 },
    { product: 9, baseline: 10 },
  ]
  const figures = beside(rounds, (value) => value)
  const atLeastOne = { of: 'ratio', is: 'at least', value: 1 } as const
  expect(verdictOf({ what: '', unit: 'ms', ...figures, targets: [atMostTen, atLeastOne] })).toBe('missed')
  expect(verdictOf({ what: '', unit: 'ms', ...figures })).toBeUndefined()
})
