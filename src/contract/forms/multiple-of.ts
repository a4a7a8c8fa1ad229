/** Exact for decimals: 0.3 is a multiple of 0.1, although the remainder of the doubles is not zero. */
export function isMultipleOf(value: number, divisor: number): boolean {
  const [digits, power] = decimalOf(value)
  const [divisorDigits, divisorPower] = decimalOf(divisor)
  const shift = BigInt(Math.abs(power - divisorPower))
  return power >= divisorPower
    ? (digits * 10n ** shift) % divisorDigits === 0n
    : digits % (divisorDigits * 10n ** shift) === 0n
}

/** 12.5 is 125 times ten to the power of -1. */
function decimalOf(value: number): [digits: bigint, power: number] {
  const [mantissa = '0', exponent = '0'] = String(Math.abs(value)).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}
