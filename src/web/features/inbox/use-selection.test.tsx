import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ListedRow } from './listed-rows.ts'
import { useSelection } from './use-selection.ts'

const row = (taskId: string, more = {}) => ({ taskId, revision: 1, section: 'normal', ...more }) as ListedRow
const [one, two] = [row('one'), row('two')]

function selectionOf(rows: ListedRow[]) {
  const { result, rerender } = renderHook(({ shown, listed }) => useSelection(shown, listed), {
    initialProps: { shown: rows, listed: rows },
  })
  return {
    selection: () => result.current,
    ids: () => [...result.current.revisions.keys()],
    list: (shown: ListedRow[], listed = shown) => rerender({ shown, listed }),
  }
}

test('a row that leaves the list and returns is no longer selected', () => {
  const { selection, ids, list } = selectionOf([one, two])
  act(() => selection().toggle('one'))
  expect(ids()).toEqual(['one'])
  list([two])
  list([one, two])
  expect(ids()).toEqual([])
})

test('rows that were answered are selected again if the answer is undone', () => {
  const { selection, ids, list } = selectionOf([one, two])
  act(() => selection().toggle('one'))
  list([two], [one, two])
  expect(ids()).toEqual([])
  list([one, two])
  expect(ids()).toEqual(['one'])
})

test('a row is no longer selected once this person has answered it and others must answer it too', () => {
  const { selection, ids, list } = selectionOf([one, two])
  act(() => selection().toggle('one'))
  list([two], [one, two])
  list([row('one', { review: { needed: 2, given: 1, answered: true } }), two])
  expect(ids()).toEqual([])
  act(() => selection().addAll())
  expect(ids()).toEqual(['two'])
})

test('Select all leaves out tasks that wait for the agent', () => {
  const waiting = row('three', { conversation: { state: 'waiting' } })
  const { selection, ids } = selectionOf([one, two, waiting])
  act(() => selection().addAll())
  expect(ids()).toEqual(['one', 'two'])
})

test('Shift selects from the last toggled row, or only one row if that has left the list', () => {
  const [three, four] = [row('three'), row('four')]
  const { selection, ids, list } = selectionOf([one, two, three, four])
  act(() => selection().toggle('two'))
  act(() => selection().extendTo('four'))
  expect(ids().sort()).toEqual(['four', 'three', 'two'])
  list([one, three, four])
  act(() => selection().toggle('three'))
  act(() => selection().toggle('four'))
  list([one, three])
  act(() => selection().extendTo('three'))
  expect(ids()).toEqual(['three'])
})

test('a row that has ended is neither selected nor stays selected', () => {
  const ended = row('one', { ending: { how: 'handled' } })
  const { selection, ids, list } = selectionOf([one, two])
  act(() => selection().toggle('one'))
  list([ended, two])
  expect(ids()).toEqual([])
  act(() => selection().toggle('one'))
  expect(ids()).toEqual([])
})

test('a row that was revised after it was selected keeps its revision, also if the selection is extended over it', () => {
  const { selection, list } = selectionOf([one, two])
  act(() => selection().toggle('one'))
  list([row('one', { revision: 2 }), two])
  act(() => selection().addAll())
  expect([...selection().revisions].sort()).toEqual([
    ['one', 1],
    ['two', 1],
  ])
})
