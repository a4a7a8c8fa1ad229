/** Whether a text fits a pattern. */
type Fits = (text: string) => boolean

// What Pydantic 2 writes for a Decimal: pydantic/json_schema.py, get_decimal_pattern.
const START = '^(?!^[-+.]*$)[+-]?0*'
const ANY_DECIMAL = String.raw`\d*\.?\d*$`
const DECIMAL_PLACES = /^\\d\*\\\.\?\\d\{0,(\d{1,4})\}0\*\$$/
const MAX_DIGITS = /^\(\?:\\d\{0,(\d{1,4})\}\|\(\?=\[\\d\.\]\{1,(\d{1,4})\}0\*\$\)\\d\*\\\.\\d\*0\*\$\)$/
const BOTH =
  /^\(\?:\\d\{0,(\d{1,4})\}\|\(\?=\[\\d\.\]\{1,(\d{1,4})\}0\*\$\)\\d\{0,(\d{1,4})\}\\\.\\d\{0,(\d{1,4})\}0\*\$\)$/

/**
 * A check that is equal to one of Pydantic's patterns for a Decimal, whose look-ahead RE2 cannot read; undefined for
 * every other pattern. Takes time in proportion to the text.
 */
export function decimalCheck(pattern: string): Fits | undefined {
  if (!pattern.startsWith(START)) return undefined
  const rest = pattern.slice(START.length)
  if (rest === ANY_DECIMAL) return (text) => isNotOnlySigns(text) && fractionOf(text) !== undefined
  const places = DECIMAL_PLACES.exec(rest)
  if (places) {
    const most = Number(places[1])
    return (text) => isNotOnlySigns(text) && /^0*$/.test(fractionOf(text)?.slice(most) ?? 'none')
  }
  // The first alternative of these has no end and may be empty, so that they refuse no more than the look-ahead does.
  return isMaxDigits(rest) || isBoth(rest) ? isNotOnlySigns : undefined
}

function isNotOnlySigns(text: string): boolean {
  return !/^[-+.]*$/.test(text)
}

/** What follows the point of a decimal, '' without one; undefined when it is no decimal. */
function fractionOf(text: string): string | undefined {
  const match = /^[+-]?\d*(?:\.(\d*))?$/.exec(text)
  return match ? (match[1] ?? '') : undefined
}

function isMaxDigits(rest: string): boolean {
  const [, digits, looked] = MAX_DIGITS.exec(rest) ?? []
  return looked !== undefined && Number(looked) === Number(digits) + 1
}

function isBoth(rest: string): boolean {
  const [, whole, looked, again, places] = BOTH.exec(rest) ?? []
  return whole === again && Number(whole) === Math.max(0, Number(looked) - 1 - Number(places))
}
