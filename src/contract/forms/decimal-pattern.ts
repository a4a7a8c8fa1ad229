/** Whether a text matches a pattern. */
type Matcher = (text: string) => boolean

// The patterns Pydantic 2 generates for a Decimal: pydantic/json_schema.py, get_decimal_pattern.
const decimalStart = '^(?!^[-+.]*$)[+-]?0*'
const anyDecimal = String.raw`\d*\.?\d*$`
const decimalPlacesPattern = /^\\d\*\\\.\?\\d\{0,(\d{1,4})\}0\*\$$/
const maxDigitsPattern =
  /^\(\?:\\d\{0,(\d{1,4})\}\|\(\?=\[\\d\.\]\{1,(\d{1,4})\}0\*\$\)\\d\*\\\.\\d\*0\*\$\)$/
const digitsAndPlacesPattern =
  /^\(\?:\\d\{0,(\d{1,4})\}\|\(\?=\[\\d\.\]\{1,(\d{1,4})\}0\*\$\)\\d\{0,(\d{1,4})\}\\\.\\d\{0,(\d{1,4})\}0\*\$\)$/

/**
 * A check equivalent to one of Pydantic's patterns for a Decimal, whose lookahead RE2 does not
 * support; undefined for every other pattern. Runs in linear time.
 */
export function decimalCheck(pattern: string): Matcher | undefined {
  if (!pattern.startsWith(decimalStart)) return undefined
  const rest = pattern.slice(decimalStart.length)
  if (rest === anyDecimal) return (text) => isNotOnlySigns(text) && fractionOf(text) !== undefined
  const places = decimalPlacesPattern.exec(rest)
  if (places) {
    const max = Number(places[1])
    return (text) => {
      const fraction = fractionOf(text)
      return isNotOnlySigns(text) && fraction !== undefined && /^0*$/.test(fraction.slice(max))
    }
  }
  // The first alternative of both is not anchored and may be empty, so only the negative lookahead
  // of `decimalStart` refuses anything.
  return isMaxDigits(rest) || isDigitsAndPlaces(rest) ? isNotOnlySigns : undefined
}

/** The negative lookahead of `decimalStart`. */
function isNotOnlySigns(text: string): boolean {
  return !/^[-+.]*$/.test(text)
}

/** The digits after the decimal point, '' without one; undefined if the text is not a decimal. */
function fractionOf(text: string): string | undefined {
  const match = /^[+-]?\d*(?:\.(\d*))?$/.exec(text)
  return match ? (match[1] ?? '') : undefined
}

function isMaxDigits(rest: string): boolean {
  const [, digits, lookahead] = maxDigitsPattern.exec(rest) ?? []
  return lookahead !== undefined && Number(lookahead) === Number(digits) + 1
}

function isDigitsAndPlaces(rest: string): boolean {
  const match = digitsAndPlacesPattern.exec(rest)
  if (!match) return false
  const [, whole, lookahead, wholeAgain, places] = match
  return whole === wholeAgain && Number(whole) === Math.max(0, Number(lookahead) - 1 - Number(places))
}
