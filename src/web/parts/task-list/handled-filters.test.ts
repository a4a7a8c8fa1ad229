import { expect, test } from 'vitest'
import { parseHandledFilters } from './handled-filters.ts'

test('tasks without an answer keep all filters except those on the answer', () => {
  const kept = { app: 'shop', type: 'refund', version: '2026.11', q: 'ana' }
  const answer = {
    by: 'me',
    rule: `rul_${'0'.repeat(26)}`,
    action: 'approve',
    when: 'week',
    from: '2026-11-01',
  }
  const search = { ...kept, ...answer, to: '2026-11-02' }
  expect(parseHandledFilters(search)).toEqual({ ...search, status: undefined })
  // Undefined instead of missing, because a missing one would keep its value from the URL.
  expect(parseHandledFilters({ ...search, status: 'expired' })).toStrictEqual({
    ...kept,
    status: 'expired',
    by: undefined,
    rule: undefined,
    action: undefined,
    when: undefined,
    from: undefined,
    to: undefined,
  })
})

test('a rule in the URL that is not an id is ignored', () => {
  expect(parseHandledFilters({ rule: 'anything', app: 'shop' })).toEqual({ app: 'shop' })
})
