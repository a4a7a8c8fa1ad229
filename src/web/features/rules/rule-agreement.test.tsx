import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Rule } from '../../../contract/rules/rule.ts'
import { Gauge } from './gauge.tsx'
import { RuleAgreement } from './rule-agreement.tsx'

const rule = {
  state: 'active',
  allowedDisagreement: 0.02,
  samples: { answered: 0, agreed: 0, atLeast: 0 },
  newVersions: [{ version: 'v2', agreedInRow: 7 }],
} as unknown as Rule
const says = (changed: Partial<Rule>) =>
  render(<RuleAgreement rule={{ ...rule, ...changed }} />).container.textContent

test('an active rule shows how many answers agree with a new version', () => {
  expect(says({})).toMatch(/^v2: 7 of \d+ agreements in a row$/)
  expect(
    says({ newVersions: [{ version: '', agreedInRow: 7, firstSeenAt: '2026-11-17T12:00:00.000Z' }] }),
  ).toMatch(/^Tasks without a version: 7 of/)
})

test.each([{ state: 'paused' }, { state: 'ended' }, { resting: true }])(
  'a rule with %o and no answered samples says so, also if a version is new',
  (changed) => expect(says(changed as Partial<Rule>)).toBe('No samples counted yet'),
)

test.each([
  [19.6, '19 of 20'],
  [20.4, '20 of 20'],
  [2.3, '2.3 of 20'],
  [9.97, '9.9 of 20'],
])('evidence of %d is “%s”: the maximum only if it is reached', (value, text) => {
  const { container } = render(<Gauge label="Evidence" value={value} max={20} />)
  expect(container.querySelector('.num')?.textContent).toBe(text)
})
