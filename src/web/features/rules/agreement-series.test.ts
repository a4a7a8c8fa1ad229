import { expect, test } from 'vitest'
import { agreementAtLeast } from '../../../contract/rules/agreement-bound.ts'
import { agreementSeries, sampleTicks, shareScale } from './agreement-series.ts'

const at = '2026-11-12T16:20:00.000Z'
function detail(length: number, disagreements: number[], answered = length) {
  const judged = Array.from({ length }, (_, n) => ({ at, agrees: !disagreements.includes(n + 1) }))
  const agreed = answered - disagreements.length
  return { judged, samples: { open: 0, answered, agreed, atLeast: agreementAtLeast(agreed, answered) } }
}

test('the series ends with the figures of the rule and marks disagreements', () => {
  const points = agreementSeries(detail(132, [62, 119]))
  expect(points[0]?.samples).toBe(10)
  expect(points.filter(({ disagrees }) => disagrees).map(({ samples }) => samples)).toEqual([62, 119])
  const last = points.at(-1)!
  expect(last).toMatchObject({ samples: 132, agreed: 130 })
  expect(last.share).toBeCloseTo(0.985, 3)
  expect(last.atLeast).toBeCloseTo(agreementAtLeast(130, 132), 9)
})

test('a few samples are all shown, and none gives no points', () => {
  expect(agreementSeries(detail(3, [2])).map(({ share }) => share)).toEqual([1, 0.5, 2 / 3])
  expect(agreementSeries(detail(0, []))).toEqual([])
})

test('samples that are not listed any more count', () => {
  const points = agreementSeries(detail(1_000, [10], 3_000))
  expect(points[0]).toMatchObject({ samples: 2_001, agreed: 2_001 })
  expect(points.at(-1)).toMatchObject({ samples: 3_000, agreed: 2_999 })
  expect(points.length).toBeLessThan(200)
})

test('the scale contains the line, most of the bound and what is allowed', () => {
  expect(shareScale(agreementSeries(detail(132, [62, 119])), 0.02)).toEqual({
    low: 0.92,
    ticks: [1, 0.98, 0.96, 0.94, 0.92],
  })
  const { low } = shareScale(agreementSeries(detail(3, [1, 2])), 0.02)
  expect(low).toBe(0)
  expect(shareScale([], 0.02).ticks).toHaveLength(5)
  expect(shareScale([], 0.005).low).toBeLessThan(0.99)
})

test('ticks are round numbers', () => {
  expect(sampleTicks(10, 132)).toEqual([50, 100])
  expect(sampleTicks(1, 3)).toEqual([1, 2, 3])
})
