import { expect, test } from 'vitest'
import {
  adviceRange,
  chartMax,
  countWords,
  describeCounts,
  describeExtraAnswers,
  describeGain,
  summarizeAdvice,
  tasksLabel,
} from './describe-result.ts'

test('the counts say what was not counted, and only if there is something', () => {
  expect(describeCounts({ answered: 1284, timedOut: 22, expired: 9 })).toBe(
    '1,284 tasks were answered by people. 22 answered at the deadline and 9 expired are not counted.',
  )
  expect(describeCounts({ answered: 2, timedOut: 0, expired: 1 })).toBe(
    '2 tasks were answered by people. 1 expired is not counted.',
  )
  expect(describeCounts({ answered: 1, timedOut: 0, expired: 0 })).toBe('1 task was answered by people.')
})

test('the scale of a chart ends at the first step that holds all intervals', () => {
  expect(chartMax([{ high: 0.19 }, { high: 0.02 }])).toBe(0.2)
  expect(chartMax([{ high: 0.61 }])).toBe(0.8)
  expect(chartMax([{ high: 0.95 }])).toBe(1)
  expect(chartMax([])).toBe(0.1)
})

test('a gain that is only an upper limit is not said to be expected', () => {
  expect(describeGain(12, false)).toBe('About 12 fewer negative answers per 30 days')
  expect(describeGain(1, true)).toBe('At most 1 fewer negative answer per 30 days')
})

test('the list of tasks says whether it is complete', () => {
  const kind = 'field'
  expect(tasksLabel({ kind, taskCount: 2, taskIds: ['a', 'b'] })).toBe('All 2 tasks')
  expect(tasksLabel({ kind, taskCount: 1, taskIds: ['a'] })).toBe('1 task')
  expect(tasksLabel({ kind, taskCount: 318, taskIds: ['a', 'b'] })).toBe('2 of 318 tasks')
})

test('the tasks of a finding without a common trait are examples', () => {
  const label = (...taskIds: string[]) => tasksLabel({ kind: 'unexplained', taskCount: 3, taskIds })
  expect(label('a', 'b', 'c')).toBe('3 examples')
  expect(label('a')).toBe('1 example')
})

test('earlier advice is summarized by its results', () => {
  const advice = (['worked', 'not-tried', 'not-tried', 'too-few-answers'] as const).map((result) => ({
    result,
  }))
  expect(summarizeAdvice(advice)).toBe(
    'Of 4 pieces of advice, 1 worked, 1 has too few answers since and 2 were not tried.',
  )
  expect(summarizeAdvice([{ result: 'no-effect-seen' }])).toBe(
    'Of 1 piece of advice, 1 showed no improvement.',
  )
})

test('the range of earlier advice contains all intervals, predictions and zero', () => {
  const seen = { change: -4, low: -11, high: 3 }
  expect(adviceRange([{ predicted: -18, seen }, { predicted: -35 }])).toEqual({ min: -35, max: 3 })
  expect(adviceRange([{ predicted: -5 }])).toEqual({ min: -5, max: 0 })
  expect(adviceRange([{ predicted: 0 }])).toEqual({ min: -1, max: 0 })
})

test('the extra work of double reviews is per day, or per 30 days if it is little', () => {
  expect(describeExtraAnswers(0.05, 1284)).toBe('About 2 more answers per day.')
  expect(describeExtraAnswers(0.05, 30)).toBe('About 2 more answers per 30 days.')
  expect(describeExtraAnswers(0.05, 12)).toBe('About 1 more answer per 30 days.')
})

test('words are counted', () => {
  expect(countWords(' Change  the\nagent. ')).toBe(3)
  expect(countWords('')).toBe(0)
})
