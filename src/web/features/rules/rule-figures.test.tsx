import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Rule } from '../../../contract/rules/rule.ts'
import { RuleFigures } from './rule-figures.tsx'

afterEach(cleanup)

function shown(answered: object) {
  const rule = { answered, samples: { answered: 0, open: 0, agreed: 0, atLeast: 0 }, type: 'refund' }
  return render(<RuleFigures rule={rule as unknown as Rule} />).container.textContent
}

test('a rule without recent tasks is not said to have none at all', () => {
  expect(shown({ total: 500, lastDays: 0, tasksLastDays: 0 })).toContain('500no tasks in the last 30 days')
})

test('a small share is not shown as nothing', () => {
  expect(shown({ total: 500, lastDays: 2, tasksLastDays: 1_000 })).toContain('0.2\u00a0% of refund, 30 days')
})
