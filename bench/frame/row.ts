/** A row of the report: one measurement, alone or next to its floor. */
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
  /** The simplest program that does the same work on this machine, or the product with little data. */
  floor?: Spread
  floorIs?: string
  /** Product divided by floor per round, so that disturbances affect both. */
  ratio?: Spread
  targets?: Target[]
}

/** The median, minimum and maximum of several rounds. */
export type Spread = { median: number; low: number; high: number; rounds: number[] }

export type Target = { of: 'product' | 'ratio'; is: 'at least' | 'at most'; value: number }

export function spread(rounds: number[]): Spread {
  const sorted = [...rounds].sort((a, b) => a - b)
  return { median: quantile(sorted, 0.5), low: sorted[0]!, high: sorted.at(-1)!, rounds }
}

/** The quantile of numbers in ascending order. */
export function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)]!
}

/** The figures of one round. */
export type Beside<T> = { product: T; floor: T }

export function beside<T>(
  rounds: Beside<T>[],
  of: (measured: T) => number,
): { product: Spread; floor: Spread; ratio: Spread } {
  return {
    product: spread(rounds.map(({ product }) => of(product))),
    floor: spread(rounds.map(({ floor }) => of(floor))),
    ratio: spread(rounds.map(({ product, floor }) => of(product) / of(floor))),
  }
}
