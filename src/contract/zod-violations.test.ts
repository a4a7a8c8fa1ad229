import { expect, test } from 'vitest'
import { z } from 'zod'
import { zodViolations } from './zod-violations.ts'

test('of 20,000 unknown fields at most fifty are reported', () => {
  const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`a${index}`, 0]))
  const { error } = z.strictObject({}).safeParse(fields)
  const violations = zodViolations(error!)
  expect(violations).toHaveLength(50)
  expect(violations.at(-1)!.message).toContain('more than 49 problems')
})

test.each([
  [z.string().min(1), '', 'Must not be empty.'],
  [z.string().min(3), 'ab', 'Must be at least 3 characters.'],
  [z.string().max(2000), 'a'.repeat(2001), 'Must be at most 2,000 characters.'],
  [z.string().length(1), 'ab', 'Must be exactly 1 character.'],
  [z.string().min(8, 'Must be long'), 'short', 'Must be long.'],
  [z.array(z.string()).max(1), ['a', 'b'], 'Must have at most 1 item.'],
  [z.number().min(1), 0, 'Must be at least 1.'],
  [z.number().max(3650), 4000, 'Must be at most 3,650.'],
  [z.number().gt(3), 3, 'Must be more than 3.'],
  [z.int(), 1.5, 'Must be a whole number.'],
  [z.number(), '5', 'Must be a number. Send it without quotes.'],
  [z.object({}), '{}', 'Must be of type object. Send the JSON itself, not JSON inside a string.'],
])('zod issues have clear messages: case %#', (schema, value, message) => {
  const { error } = z.object({ field: schema }).safeParse({ field: value })
  expect(zodViolations(error!)).toEqual([{ path: 'field', message }])
})
