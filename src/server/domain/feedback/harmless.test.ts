import { expect, test } from 'vitest'
import { plain } from './harmless.ts'

test.each([
  ['tags', 'ok\u{e0069}\u{e0067}', 'ok'],
  ['variation selectors', 'ok\u{e0158}\u{e0157}\ufe01', 'ok'],
  ['direction controls and zero-width spaces', 'p\u200ba\u2060y \u202e001', 'pay 001'],
])('text that only a machine would read does not stay: %s', (_, text, read) => {
  expect(plain(text)).toBe(read)
})
