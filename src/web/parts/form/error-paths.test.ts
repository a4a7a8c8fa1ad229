import { expect, test } from 'vitest'
import { errorTree } from './error-paths.ts'

test('errors are at their fields, also at those that are named like a method of every object', () => {
  const tree = errorTree([
    { path: 'items[2]["odd name"]', message: 'Too short.' },
    { path: 'valueOf', message: 'Missing.' },
    { path: 'where.hasOwnProperty', message: 'Missing.' },
  ])
  expect(JSON.parse(JSON.stringify(tree))).toEqual({
    items: { 2: { 'odd name': { __errors: ['Too short.'] } } },
    valueOf: { __errors: ['Missing.'] },
    where: { hasOwnProperty: { __errors: ['Missing.'] } },
  })
  expect(Object.keys(Object.prototype.valueOf)).toEqual([])
})
