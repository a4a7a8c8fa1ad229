/** A row of the report: one thing that is measured, by itself or beside its floor. */
export type Row = {
  name: string
  about: string
  run(context: Context): Promise<Result[]>
}

export type Context = {
  /** A short run: figures wander more, and large data is smaller. */
  quick: boolean
  /** The progress line. */
  tell(text: string): void
}

export type Result = {
  what: string
  unit: string
  product: Spread
  /** The least that could do the same work on this machine, or the same at a small size. */
  floor?: Spread
  floorIs?: string
  /** Product over floor, round by round: what disturbs one disturbs the other. */
  ratio?: Spread
  targets?: Target[]
}

/** The middle of several rounds, and the outermost ones. */
export type Spread = { median: number; low: number; high: number; rounds: number[] }

export type Target = { of: 'product' | 'ratio'; is: 'at least' | 'at most'; value: number }

export function spread(rounds: number[]): Spread {
  const sorted = [...rounds].sort((a, b) => a - b)
  return { median: quantile(sorted, 0.5), low: sorted[0]!, high: sorted.at(-1)!, rounds }
}

/** Of numbers in ascending order. */
export function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)]!
}

/** What one round measured of both. */
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
