import { cleanup, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { row } from '../../../../test/support/inbox-samples.ts'
import type { LoadedRow } from './listed-rows.ts'
import { TaskRow } from './task-row.tsx'

const ignore = () => undefined
const listed = { ...row('a'), section: 'normal', sectionSetBy: 'a', page: 0 } as const

function show(shown: Partial<LoadedRow>, name = 'Mara'): string | null {
  render(
    <TaskRow
      row={{ ...listed, ...shown }}
      isDisplayed={false}
      isSelected={false}
      isSeen={false}
      me={{ userId: 'usr_me', email: 'me@shop.example' }}
      nameOf={(email) => (email === 'mara@shop.example' ? name : undefined)}
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

test('the row of a task that several people have answered names none of them', () => {
  const ending = { how: 'handled', by: 'mara@shop.example', title: 'Approve' } as const
  expect(show({ ending, review: { needed: 2, given: 1 } })).toContain(
    'Several people answered. Result: “Approve”',
  )
  cleanup()
  expect(show({ ending, review: { needed: 2, given: 0 } })).toContain('Mara answered “Approve”')
})

test.each([
  [{ given: 0 }, '0 have answered'],
  [{ given: 1 }, '1 has answered'],
  [{ given: 1, answered: true }, 'You have answered'],
  [{ given: 2, answered: true }, '2 have answered, including you'],
] as const)('the review %o says who has answered', (review, text) => {
  show({ review: { needed: 2, ...review } })
  screen.getByTitle(`2 people must give the same answer. ${text}.`)
})

test.each([
  [{ given: 1 }, '1 of 2'],
  [{ given: 1, answered: true }, 'You answered · 1 of 2'],
  [{ given: 3 }, '3 answers'],
  [{ given: 3, answered: true }, 'You answered · 3 answers'],
] as const)('a row whose answers are %o, of which two must agree, reads "%s"', (review, text) => {
  show({ review: { needed: 2, ...review } })
  expect(screen.getByTitle(/^2 people must give the same answer/).textContent).toBe(text)
})

test('a row shows direction control characters in the names of members by name', () => {
  const claim = { userId: 'usr_1', name: 'a\u202eb', until: new Date(Date.now() + 60_000).toISOString() }
  show({ assignedTo: 'mara@shop.example', claim }, 'M\u202eara')
  screen.getByRole('img', { name: 'Assigned to M[RLO]ara' })
  screen.getByRole('img', { name: 'a[RLO]b is viewing this task' })
})

test.each([
  [19.5, '19 min left'],
  [-8.5, '8 min late'],
])('a row with a target time in %d minutes reads "%s"', (left, text) => {
  expect(show({ answerBy: new Date(Date.now() + left * 60_000).toISOString() })).toContain(text)
})

test('a row says that it is assigned to the person who reads it', () => {
  show({ assignedTo: 'me@shop.example' })
  screen.getByRole('img', { name: 'Assigned to you' })
})

test('a row says which task raised it, but not if its own priority was raised since', () => {
  expect(show({ section: 'urgent', sectionSetBy: 'Refund' })).toContain('Urgent because of “Refund”')
  cleanup()
  expect(show({ priority: 'urgent' })).not.toContain('because of')
})

test('a row says whether the answer is pushed to the agent', () => {
  const name = 'Answer is pushed to the agent'
  show({ delivery: 'sse' })
  screen.getByRole('img', { name })
  cleanup()
  show({ delivery: 'callback' })
  expect(screen.queryByRole('img', { name })).toBeNull()
})
