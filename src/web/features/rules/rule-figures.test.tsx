import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Rule } from '../../../contract/rules/rule.ts'
import { RuleFigures } from './rule-figures.tsx'

function shown(answered: object) {
  const rule = { answered, samples: { answered: 0, open: 0, agreed: 0, atLeast: 0 }, type: 'refund' }
  return render(<RuleFigures rule={rule as unknown as Rule} />).container.textContent
}

test('a rule without recent tasks is not said to have none at all', () => {
  expect(shown({ total: 500, lastDays: 0, tasksLastDays: 0 })).toContain('500no tasks in the last 30 days')
})

test('figures at which counting stopped are shown as lower limits, and no share is derived from them', () => {
  const text = shown({ total: 100_000, lastDays: 90_000, tasksLastDays: 100_000 })
  expect(text).toContain('100,000+90,000 in the last 30 days')
  expect(text).toContain('1,667+h')
  expect(text).not.toContain('% of refund')
})

test('a small share is not shown as nothing', () => {
  expect(shown({ total: 500, lastDays: 2, tasksLastDays: 1_000 })).toContain(
    '0.2\u00a0% of refund in the last 30 days',
  )
})
