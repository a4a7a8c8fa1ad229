import { expect, test } from 'vitest'
import { countInvalid, pathBelow, pathOf, quoted, Violations } from './violation.ts'

test('a path is dotted, with brackets for indices and odd names', () => {
  expect(pathOf(['actions', 0, 'schema', '$ref'])).toBe('actions[0].schema.$ref')
  expect(pathOf(['odd name', 'ui:widget', '0', ''])).toBe('["odd name"]["ui:widget"]["0"][""]')
  expect(pathOf([])).toBe('')
})

test('a path continues below its parent', () => {
  expect(['', 'amount', '["unit price"].net', '[2]'].map((path) => pathBelow('data', path))).toEqual([
    ...['data', 'data.amount', 'data["unit price"].net', 'data[2]'],
  ])
})

test('a name of a megabyte is shortened in its path', () => {
  expect(pathOf(['x'.repeat(1_000_000)]).length).toBeLessThan(100)
})

test('a list has at most fifty violations without duplicates, and says if there are more', () => {
  const found = new Violations()
  for (let index = 0; index < 50; index++) found.add(`a${index}`, 'Wrong.')
  found.add('a0', 'Wrong.')
  expect(found.list).toHaveLength(50)
  expect(found.list.at(-1)).toEqual({ path: 'a49', message: 'Wrong.' })
  found.add('a50', 'Wrong.')
  expect(found.list).toHaveLength(50)
  expect(found.list.at(-1)?.message).toContain('more than 49 problems')
})

test('the summary counts each field once, and not the note that there are more', () => {
  const found = new Violations()
  found.add('a0', 'Wrong.')
  expect(countInvalid(found.list)).toBe('1 field is invalid')
  found.add('a0', 'Too long.')
  found.add('a1', 'Wrong.')
  expect(countInvalid(found.list)).toBe('2 fields are invalid')
  for (let index = 2; index < 80; index++) found.add(`a${index}`, 'Wrong.')
  expect(countInvalid(found.list, 'argument')).toBe('48 or more arguments are invalid')
})

test('a value of a megabyte is truncated in messages', () => {
  expect(quoted('x'.repeat(1_000_000))).toBe(`"${'x'.repeat(79)}…"`)
  expect(quoted('say "yes"')).toBe('"say \\"yes\\""')
  expect([quoted(12.5), quoted(null), quoted(true)]).toEqual(['12.5', 'null', 'true'])
})

test('with long paths and messages, the list stays below 64 KiB and says that there are more', () => {
  for (const text of ['x', 'é', '"', '\u0001', '😀']) {
    const found = new Violations()
    for (let index = 0; index < 120; index++) {
      found.add(pathOf([index, ...Array(60).fill(text.repeat(100))]), text.repeat(10_000))
    }
    // Escaped twice, as in a tool result.
    expect(Buffer.byteLength(JSON.stringify(JSON.stringify(found.list)))).toBeLessThan(64 * 1024)
    expect(found.list[0]!.path).toMatch(/^\[0\]/)
    expect(found.list.at(-1)!.message).toMatch(/^There are more than \d+ problems/)
  }
})

test('collecting stops if the same violation is found too often, and says that there may be more', () => {
  const found = new Violations()
  let added = 0
  for (; added < 1_000_000 && !found.isFull; added++) found.add('a', 'Wrong.')
  expect(added).toBeLessThanOrEqual(100)
  expect(found.list).toEqual([
    { path: 'a', message: 'Wrong.' },
    { path: '', message: 'There may be more problems. Fix these first.' },
  ])
  expect(countInvalid(found.list)).toBe('1 or more fields are invalid')
})

test('what is shortened never ends within a surrogate pair', () => {
  const found = new Violations()
  found.add(`${'a'.repeat(199)}${'😀'.repeat(200)}b`, `${'a'.repeat(599)}😀`)
  for (const { path, message } of found.list)
    expect([path, message].every((text) => text.isWellFormed())).toBe(true)
  expect(quoted(`${'a'.repeat(79)}😀`)).toBe(`"${'a'.repeat(79)}…"`)
})
