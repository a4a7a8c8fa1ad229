import { describe, expect, test } from 'vitest'
import { matches, patternProblem } from './re2-patterns.ts'

test('a pattern matches anywhere in the text, as in JSON Schema', () => {
  expect(matches('b+', 'abbc')).toBe(true)
  expect(matches('^b+$', 'abbc')).toBe(false)
  expect(matches('^.$', '😀')).toBe(true)
})

test('nested repeats are harmless on any text', () => {
  expect(patternProblem('^(a+)+$')).toBeUndefined()
  expect(matches('^(a+)+$', `${'a'.repeat(256 * 1024)}!`)).toBe(false)
})

describe('patterns people write are accepted', () => {
  test.each([
    '^[a-z0-9-]{1,64}$',
    '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$',
    '^\\+?[1-9]\\d{1,14}$',
    '^(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.|$)){4}$',
    '^[\\p{L} .-]{2,100}$',
    '(?i)^[а-яё]+$',
    '^.{1,120}$',
    '\\S',
  ])('%s', (pattern) => expect(patternProblem(pattern)).toBeUndefined())
})

describe('patterns that RE2 cannot read are refused with a readable message', () => {
  test.each(['(?=a)b', '(?<!a)b', '(a)\\1', '(', '[z-a]', 'a**'])('%s', (pattern) => {
    expect(patternProblem(pattern)).toMatch(/^RE2 cannot read this pattern \(.+\)\..*\.$/)
  })
})

describe('expensive patterns are refused before they are compiled', () => {
  test.each([
    '(a{1000}){1000}',
    '(.{0,500}){2}x',
    `(?:${'.?'.repeat(110)}){1000}`,
    'a{900}'.repeat(40),
    '\\pL'.repeat(80),
    `(?i)${'[\\x{80}-\\x{ffff}]'.repeat(13)}`,
    `(?:\\Q(\\E${'ab'.repeat(100)}){500}`,
    `[]a](?:${'[ab]'.repeat(50)}){500}`,
  ])('%s', (pattern) => expect(patternProblem(pattern)).toContain('too big'))
})
