import { cleanup, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { row } from '../../../../test/support/inbox-samples.ts'
import type { LoadedRow } from './listed-rows.ts'
import { TaskRow } from './task-row.tsx'

const ignore = () => undefined
const listed = { ...row('a'), rank: 'normal', rankedBy: 'a', page: 0 } as const

function show(shown: Partial<LoadedRow>): string | null {
  render(
    <TaskRow
      row={{ ...listed, ...shown }}
      isOpen={false}
      isSelected={false}
      isSeen={false}
      me={{ userId: 'usr_me', email: 'me@shop.example' }}
      nameOf={(email) => (email === 'mara@shop.example' ? 'Mara' : undefined)}
      now={Date.now()}
      position={1}
      setSize={1}
      onOpen={ignore}
      onSelect={ignore}
    />,
  )
  return screen.getByRole('option').textContent
}

test.each([
  ['mara@shop.example', 'Mara answered “Approve”'],
  ['service:timeout', 'The deadline has passed'],
])('the row of a task that %s has answered reads "%s"', (by, text) => {
  expect(show({ ending: { how: 'handled', by, title: 'Approve' } })).toContain(text)
})

test.each([
  [1, '1 of 2'],
  [3, '3 answers'],
])('a row with %i answers of which two must agree reads "%s"', (given, text) => {
  expect(show({ review: { needed: 2, given } })).toContain(text)
})

test('a row says which task raised it, but not if its own priority was raised since', () => {
  expect(show({ rank: 'urgent', rankedBy: 'Refund' })).toContain('Urgent because of “Refund”')
  cleanup()
  expect(show({ priority: 'urgent' })).not.toContain('because of')
})
