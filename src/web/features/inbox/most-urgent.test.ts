import { expect, test } from 'vitest'
import type { InboxRow } from '../../../contract/inbox.ts'
import { mostUrgent, summarizeDue } from './most-urgent.ts'

test.each([
  [undefined, '12 to do'],
  [{ late: 0, soon: 0 }, 'Nothing is late. 12 to do.'],
  [{ late: 0, soon: 1 }, '1 task is due within half an hour'],
  [{ late: 0, soon: 2 }, '2 tasks are due within half an hour'],
  [{ late: 1, soon: 0 }, '1 task is late'],
  [{ late: 2, soon: 1 }, '2 tasks are late, 1 more is due within half an hour'],
  [{ late: 1, soon: 2 }, '1 task is late, 2 more are due within half an hour'],
])('the start pane says the worst about %j', (due, sentence) => {
  expect(summarizeDue(due, '12')).toBe(sentence)
})

test('three tasks are shown: first what is due, then the first of the list, none of them twice', () => {
  const rows = (...ids: string[]) => ids.map((taskId) => ({ taskId }) as InboxRow)
  const idsOf = (shown: InboxRow[]) => shown.map(({ taskId }) => taskId)
  expect(idsOf(mostUrgent(rows('c'), rows('a', 'b', 'c', 'd')))).toEqual(['c', 'a', 'b'])
  expect(idsOf(mostUrgent([], rows('a')))).toEqual(['a'])
  expect(idsOf(mostUrgent(rows('x', 'y', 'z'), rows('a')))).toEqual(['x', 'y', 'z'])
})
