import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimalCheck } from './decimal-pattern.ts'

/** As pydantic/json_schema.py writes it, with max_digits and decimal_places or without. */
function pydantic(maxDigits?: number, decimalPlaces?: number): string {
  const start = '^(?!^[-+.]*$)[+-]?0*'
  if (maxDigits !== undefined && decimalPlaces !== undefined) {
    const whole = Math.max(0, maxDigits - decimalPlaces)
    return `${start}(?:\\d{0,${whole}}|(?=[\\d.]{1,${maxDigits + 1}}0*$)\\d{0,${whole}}\\.\\d{0,${decimalPlaces}}0*$)`
  }
  if (maxDigits !== undefined)
    return `${start}(?:\\d{0,${maxDigits}}|(?=[\\d.]{1,${maxDigits + 1}}0*$)\\d*\\.\\d*0*$)`
  if (decimalPlaces !== undefined) return `${start}\\d*\\.?\\d{0,${decimalPlaces}}0*$`
  return `${start}\\d*\\.?\\d*$`
}

const size = fc.option(fc.nat({ max: 12 }), { nil: undefined })
const decimals = fc
  .tuple(
    fc.constantFrom('', '+', '-', '+-'),
    fc.string({ unit: fc.constantFrom('0', '1', '9'), maxLength: 10 }),
    fc.constantFrom('', '.', '..'),
    fc.string({ unit: fc.constantFrom('0', '5'), maxLength: 10 }),
    fc.constantFrom('', '', '', ' ', 'x', '\n', 'e5'),
  )
  .map((parts) => parts.join(''))
const texts = fc.oneof(
  decimals,
  fc.string({ unit: fc.constantFrom('+', '-', '.', '0', '7', 'a', '\n'), maxLength: 6 }),
)

test('a check gives the verdict of the pattern that it stands for', () => {
  let fitting = 0
  fc.assert(
    fc.property(size, size, texts, (maxDigits, decimalPlaces, text) => {
      const pattern = pydantic(maxDigits, decimalPlaces)
      const fits = new RegExp(pattern, 'u').test(text)
      if (fits) fitting++
      expect(decimalCheck(pattern)!(text)).toBe(fits)
    }),
    { numRuns: 3_000 },
  )
  expect(fitting).toBeGreaterThan(500)
})

describe('no other pattern is taken for one', () => {
  test.each([
    '^\\d+$',
    '(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$',
    '^(?!^[-+.]*$)[+-]?0*',
    '^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*',
    '^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d{0,2}$',
    '^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d{1,2}0*$',
    pydantic(5).replace('{1,6}', '{1,7}'),
    pydantic(5, 2).replace('{1,6}', '{1,5}'),
    pydantic(5, 2).replace('|', '$|'),
    `${pydantic()}x`,
  ])('%s', (pattern) => {
    expect(decimalCheck(pattern)).toBeUndefined()
  })
})
