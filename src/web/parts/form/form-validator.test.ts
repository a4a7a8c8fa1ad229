import type { RJSFSchema } from '@rjsf/utils'
import { expect, test } from 'vitest'
import { countPaths, formValidator } from './form-validator.ts'

function matches(pattern: string, text: string): boolean {
  const schema = { type: 'string', pattern } as RJSFSchema
  return formValidator.isValid(schema, text, schema)
}

test.each([
  ['^[A-Z]{2}\\d{6}$', 'DE123456', 'DE12345'],
  ['^\\d{4}-\\d{2}-\\d{2}$', '2026-11-16', '16 November'],
  ['^[^@]+@[^@]+\\.[^@]+$', 'mara@shop.example', 'mara at shop.example'],
  ['^(?:card|cash)$', 'cash', 'cheque'],
  ['^(?:ab)+$', 'ababab', 'ababa'],
  ['^kg{1,2}$', 'kgg', 'kggg'],
  ['^\\p{Lu}\\w*$', 'Mara', 'mara'],
  ['refund', `${'x'.repeat(400)}refund`, 'x'.repeat(400)],
  ['^https?://', `https://${'x'.repeat(100_000)}`, `ftp://${'x'.repeat(100_000)}`],
])('%s decides about a form', (pattern, matching, other) => {
  expect([matches(pattern, matching), matches(pattern, other)]).toEqual([true, false])
})

// The text never matches; without a limit, each of them would block the page for minutes.
test.each([
  '^(a+)+!',
  '^(a|a|a|a|a)*!',
  '^((a|a){9}){9}!',
  '^(a?){99}!',
  '[a-z]*[a-z]*[a-z]*[a-z]*!',
  `^${'a?'.repeat(40)}!`,
  `^${'(a|a)'.repeat(40)}!`,
  `^${'(?:a|a)'.repeat(40)}\\b!`,
  'a*a*a*!',
  '^(?<x>a*)\\k<x>!',
  '^(a*)\\1!',
])('%s counts as a match instead of blocking the page', (pattern) => {
  expect(matches(pattern, 'a'.repeat(500))).toBe(true)
})

test('repeated groups with choices have no bound', () => {
  for (const pattern of ['(a|b)*', '(a+){2}', '(a?)+', '(){999999999}', '((a|b)c)+', '(a)\\1'])
    expect(countPaths(pattern, 1), pattern).toBe(Number.POSITIVE_INFINITY)
  for (const pattern of ['(ab)*', '(?:\\)[*+?|(])+', '\\(a|b', '((a)b)+'])
    expect(countPaths(pattern, 1), pattern).toBeLessThan(10)
})
