import { expect, test } from 'vitest'
import { fills, fillsOf } from './fills.tsx'

test.each([0, 5, 8])('eight actions have eight fills, also if %d of them are negative', (negatives) => {
  const actions = Array.from({ length: 8 }, (_, n) => ({
    actionId: `action-${n}`,
    outcome: n < negatives ? 'negative' : 'positive',
  }))
  const ids = [...fillsOf(actions), fills.rest].map(({ id }) => id)
  expect(new Set(ids).size).toBe(9)
})
