import { expect, test } from 'vitest'
import { sanitizeForMail, sanitizeLine } from './sanitize-line.ts'

test.each([
  ['tags', 'ok\u{e0069}\u{e0067}', 'ok'],
  ['variation selectors', 'ok\u{e0158}\u{e0157}\ufe01', 'ok'],
  ['an Arabic letter mark and a filler', 'ok\u061c\u3164', 'ok'],
  ['an alphabet of joiners', 'o\u200d\u200c\u200dk', 'ok'],
  ['direction controls and zero-width spaces', 'p\u200ba\u2060y \u202e001', 'pay 001'],
])('text that only a machine can read is removed: %s', (_, text, read) => {
  expect(sanitizeLine(text)).toBe(read)
})

test('a joiner that is part of a word is kept', () => {
  expect(sanitizeLine('می\u200cخواهم')).toBe('می\u200cخواهم')
})

test.each([
  ['with a joiner in it', 'https:\u200d//evil.example', 'https[:]//evil.example'],
  ['of another alphabet', 'пример.рф/путь', 'пример[.]рф/путь'],
  ['with a port', 'evil.example:8080/x', 'evil[.]example:8080/x'],
])('a URL %s is defanged', (_, text, read) => {
  expect(sanitizeLine(text)).toBe(read)
})

test.each([
  ['see evil.example or report.md', 'see evil[.]example or report[.]md'],
  ['ｅｖｉｌ．ｃｏｍ and evil。com', 'ｅｖｉｌ[.]ｃｏｍ and evil[.]com'],
  ['evil﹒com, evil.ⓒⓞⓜ and 💩.la', 'evil[.]com, evil[.]ⓒⓞⓜ and 💩[.]la'],
  ['हिन्दी.भारत', 'हिन्दी[.]भारत'],
  ['203.0.113.7 and Mozilla/5.0 (X11; Linux)', '203.0.113.7 and Mozilla/5.0 (X11; Linux)'],
  ['Done.✅ Wait...what', 'Done.✅ Wait...what'],
  ['v1.2, 3.50 € and e.g. this. That', 'v1.2, 3.50 € and e.g. this. That'],
])('in an email %s is no link', (text, expected) => {
  expect(sanitizeForMail(text)).toBe(expected)
})
