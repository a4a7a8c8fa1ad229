import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AuditRow } from './audit-row.tsx'

test.each([
  [undefined, 'The service'],
  ['203.0.113.7', 'The service'],
  ['command line', 'An operator'],
])('an entry without a person from %s names %s', async (from, name) => {
  const entry = { auditId: 'aud_1', at: '2026-11-18T12:00:00.000Z', actor: 'service', action: 'rule.paused' }
  render(<AuditRow entry={{ ...entry, subject: 'rul_1', from }} onSubject={() => undefined} />)
  expect((await screen.findByText(name)).parentElement?.textContent).toBe(`${name} paused a rule`)
})
