import type { Beside, Context, Result } from './row.ts'
import { verdictOf } from './verdict.ts'

export type Bounds = { least: number; most: number }

// Beyond the least rounds. Sure is not worth more than that.
const patienceSeconds = { quick: 30, full: 240 }

/** Rounds until every target is surely met or surely missed, but no more than `most`, and not for ever. */
export async function runUntilConclusive<T>(
  { tell, quick }: Context,
  { least, most }: Bounds,
  round: () => Promise<T>,
  report: (rounds: T[]) => Result[],
): Promise<Result[]> {
  const rounds: T[] = []
  let results: Result[] = []
  let deadline = Number.POSITIVE_INFINITY
  while (rounds.length < most && performance.now() < deadline) {
    tell(
      `round ${rounds.length + 1}${rounds.length < least ? ` of ${least}` : `, unsure yet, of ${most} at most`}`,
    )
    rounds.push(await round())
    if (rounds.length < least) continue
    if (rounds.length === least)
      deadline = performance.now() + (quick ? patienceSeconds.quick : patienceSeconds.full) * 1000
    results = report(rounds)
    if (!results.some((result) => verdictOf(result) === 'unsure')) break
  }
  return results
}

/**
 * Product and floor one after the other, so that both see the same moods of the machine; every other round the floor goes
 * first, so that neither always follows the other.
 */
export function inTurns<T>(product: () => Promise<T>, floor: () => Promise<T>): () => Promise<Beside<T>> {
  let productFirst = false
  return async () => {
    productFirst = !productFirst
    if (productFirst) return { product: await product(), floor: await floor() }
    const measuredFloor = await floor()
    return { product: await product(), floor: measuredFloor }
  }
}
