import type { Beside, Context, Result } from './row.ts'
import { verdictOf } from './verdict.ts'

/** The minimum and maximum number of rounds. */
export type Bounds = { min: number; max: number }

// How long rounds may continue after the minimum number of them.
const timeoutSeconds = { quick: 30, full: 240 }

/** Runs at least `min` rounds, and more until no verdict is unsure, up to `max` rounds and a timeout. */
export async function runUntilConclusive<T>(
  { showProgress, quick }: Context,
  { min, max }: Bounds,
  round: () => Promise<T>,
  report: (rounds: T[]) => Result[],
): Promise<Result[]> {
  const rounds: T[] = []
  let results: Result[] = []
  let deadline = Number.POSITIVE_INFINITY
  while (rounds.length < max && performance.now() < deadline) {
    showProgress(
      `round ${rounds.length + 1}${rounds.length < min ? ` of ${min}` : `, inconclusive, of at most ${max}`}`,
    )
    rounds.push(await round())
    if (rounds.length < min) continue
    if (rounds.length === min)
      deadline = performance.now() + (quick ? timeoutSeconds.quick : timeoutSeconds.full) * 1000
    results = report(rounds)
    if (!results.some((result) => verdictOf(result) === 'unsure')) break
  }
  return results
}

/**
 * Runs product and baseline alternately, so that both see the same machine load. The order changes
 * every round, so that neither always follows the other.
 */
export function inTurns<T>(product: () => Promise<T>, baseline: () => Promise<T>): () => Promise<Beside<T>> {
  let productFirst = false
  return async () => {
    productFirst = !productFirst
    if (productFirst) return { product: await product(), baseline: await baseline() }
    const measuredBaseline = await baseline()
    return { product: await product(), baseline: measuredBaseline }
  }
}
