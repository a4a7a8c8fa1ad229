/**
 * Lower end of the exact (Clopper-Pearson) one-sided interval of a share with a confidence of 1 -
 * `level`, if `agreed` of `n` samples agreed. It is the `level` quantile of the Beta distribution
 * with the parameters agreed and n - agreed + 1.
 */
export function agreementAtLeast(agreed: number, n: number, level = 0.05): number {
  if (agreed <= 0) return 0
  if (agreed >= n) return level ** (1 / n)
  let [low, high] = [0, agreed / n]
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2
    if (betaDistribution(middle, agreed, n - agreed + 1) < level) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The distribution function of the Beta distribution (regularized incomplete beta function). */
function betaDistribution(x: number, a: number, b: number): number {
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  // The continued fraction converges fast only below about the mean, so above it the other tail is
  // computed.
  return x < (a + 1) / (a + b + 2)
    ? (front * continuedFraction(x, a, b)) / a
    : 1 - (front * continuedFraction(1 - x, b, a)) / b
}

/** The continued fraction of the incomplete beta function, by the method of Lentz. */
function continuedFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  const awayFromZero = (value: number) => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1))
  let result = d
  for (let m = 1; m < 1_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / awayFromZero(1 + even * d)
    c = awayFromZero(1 + even / c)
    result *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / awayFromZero(1 + odd * d)
    c = awayFromZero(1 + odd / c)
    result *= d * c
    if (Math.abs(d * c - 1) < 1e-12) break
  }
  return result
}

/** Stirling's series, exact to 1e-12 once the argument is at least 10. */
function logGamma(value: number): number {
  if (value < 10) return logGamma(value + 1) - Math.log(value)
  const square = value * value
  const series = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * square)) / square) / square) / value
  return (value - 0.5) * Math.log(value) - value + 0.5 * Math.log(2 * Math.PI) + series
}
