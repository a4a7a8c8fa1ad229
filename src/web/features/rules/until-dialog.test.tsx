import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { localDay } from '../../lib/days.ts'
import { UntilDialog } from './until-dialog.tsx'

vi.mock('./use-rules.ts', () => ({ useChangeRule: () => ({}) }))

const dayMilliseconds = 86_400_000

test.each([
  ['a rule that goes on cannot be extended to an earlier day', 'extend', 30, 30],
  ['a rule whose time is over can be extended to any day from today', 'extend', -30, 0],
  ['a rule whose time is over can be resumed until any day from today', 'resume', -30, 0],
] as const)('%s', async (_, kind, endsInDays, firstInDays) => {
  const inDays = (days: number) => new Date(Date.now() + days * dayMilliseconds).toISOString()
  const rule = { ruleId: 'rul_1', name: 'Small refunds', until: inDays(endsInDays) }
  render(<UntilDialog kind={kind} rule={rule as never} onClose={() => undefined} />)
  expect((await screen.findByLabelText('Until')).getAttribute('min')).toBe(localDay(inDays(firstInDays)))
})
