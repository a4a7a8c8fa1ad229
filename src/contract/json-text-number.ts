/**
 * Whether a JSON number can be read as a double and written again without changing. 0.1 can,
 * because JSON.stringify writes the shortest decimal that reads back as the same double;
 * 9007199254740993 cannot.
 */
export function survivesAsDouble(literal: string): boolean {
  const value = Number(literal)
  if (!Number.isFinite(value)) return false
  const shortest = String(value)
  return shortest === literal || normalize(literal) === normalize(shortest)
}

/** Removes leading and trailing zeros: `-120.50e3` becomes `-1205e2`. Every zero becomes `0`. */
function normalize(decimal: string): string {
  const [mantissa = '', exponent = '0'] = decimal.toLowerCase().split('e')
  const negative = mantissa.startsWith('-')
  const [whole = '', fraction = ''] = mantissa.slice(negative ? 1 : 0).split('.')
  const digits = whole + fraction
  let start = 0
  while (digits[start] === '0') start++
  if (start === digits.length) return '0'
  let end = digits.length
  while (digits[end - 1] === '0') end--
  const power = Number(exponent) - fraction.length + (digits.length - end)
  return `${negative ? '-' : ''}${digits.slice(start, end)}e${power}`
}
