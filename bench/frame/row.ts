/** A benchmark, which adds one or more lines to the report. */
export type Row = {
  name: string
  about: string
  run(context: Context): Promise<Result[]>
}

export type Context = {
  /** A short run: results vary more, and large data is smaller. */
  quick: boolean
  /** Updates the progress line. */
  showProgress(text: string): void
}

export type Result = {
  what: string
  unit: string
  product: Spread
  /** The baseline: the simplest program that does the same work, the product with less data, or a peer. */
  baseline?: Spread
  /** Says what the baseline is, in reports as JSON. */
  baselineIs?: string
  /** Product divided by baseline per round, so that disturbances affect both. */
  ratio?: Spread
  targets?: Target[]
}

export type Spread = { median: number; rounds: number[] }

export type Target = { of: 'product' | 'ratio'; is: 'at least' | 'at most'; value: number }

export function spread(rounds: number[]): Spread {
  const sorted = [...rounds].sort((a, b) => a - b)
  return { median: quantile(sorted, 0.5), rounds }
}

/** A quantile of numbers in ascending order, for example the median with 0.5. */
export function quantile(sorted: number[], probability: number): number {
  return sorted[Math.min(Math.floor(sorted.length * probability), sorted.length - 1)]!
}

/** What one round measured. */
export type Beside<T> = { product: T; baseline: T }

/** Turns rounds into spreads of product, baseline and ratio; `of` picks the figure. */
export function beside<T>(
  rounds: Beside<T>[],
  of: (measured: T) => number,
): { product: Spread; baseline: Spread; ratio: Spread } {
  return {
    product: spread(rounds.map(({ product }) => of(product))),
    baseline: spread(rounds.map(({ baseline }) => of(baseline))),
    ratio: spread(rounds.map(({ product, baseline }) => of(product) / of(baseline))),
  }
}
