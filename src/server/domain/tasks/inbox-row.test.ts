import { expect, test } from 'vitest'
import { snippetOf } from './inbox-row.ts'

test('a snippet is one line and never ends with half of a character', () => {
  expect(snippetOf(' Two\n\nlines ')).toBe('Two lines')
  expect(snippetOf(`${'a'.repeat(138)}😀b`)).toBe(`${'a'.repeat(138)}…`)
  expect(snippetOf(`Look:${' '.repeat(594)}😀`)).toBe('Look:')
})
