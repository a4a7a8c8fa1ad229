import { expect, test } from 'vitest'
import { parseDay, parseSearch, stringifySearch } from './search-params.ts'

test.each([
  ['', {}],
  ['?task=12', { task: '12' }],
  ['?state=&resource=a&resource=b', { state: '', resource: ['a', 'b'] }],
])('the query %j keeps all its parameters', (query, search) => {
  expect(parseSearch(query)).toEqual(search)
  expect(stringifySearch(search)).toBe(query)
})

test('parameters without a value are left out', () => {
  expect(stringifySearch({ q: undefined, status: 'open' })).toBe('?status=open')
})

test.each([
  ['2028-02-29', '2028-02-29'],
  ['2026-02-29', undefined],
  ['2026-02-31', undefined],
  ['2026-13-01', undefined],
  ['2026-11-05T00:00:00Z', undefined],
])('the day %s in an address is read as %s', (value, day) => {
  expect(parseDay(value)).toBe(day)
})
