import { expect, test } from 'vitest'
import { pathOf, Violations } from './violation.ts'

test('a path is dotted, with brackets for indices and odd names', () => {
  expect(pathOf(['actions', 0, 'schema', '$ref'])).toBe('actions[0].schema.$ref')
  expect(pathOf(['odd name', 'ui:widget', '0', ''])).toBe('["odd name"]["ui:widget"]["0"][""]')
  expect(pathOf([])).toBe('')
})

test('a name of a megabyte is shortened in its path', () => {
  expect(pathOf(['x'.repeat(1_000_000)]).length).toBeLessThan(100)
})

test('a list of violations holds fifty at most, says that there are more, and holds none twice', () => {
  const found = new Violations()
  for (let index = 0; index < 50; index++) found.add(`a${index}`, 'Wrong.')
  found.add('a0', 'Wrong.')
  expect(found.list).toHaveLength(50)
  expect(found.list.at(-1)).toEqual({ path: 'a49', message: 'Wrong.' })
  found.add('a50', 'Wrong.')
  expect(found.list).toHaveLength(50)
  expect(found.list.at(-1)?.message).toContain('more than 49 problems')
})
