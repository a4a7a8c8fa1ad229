import type { Context } from './row.ts'

/**
 * Product and floor in turns, so that both see the same moods of the machine; every other round the floor goes first,
 * so that neither always follows the other.
 */
export async function alternately<T>(
  { tell }: Context,
  rounds: number,
  product: () => Promise<T>,
  floor: () => Promise<T>,
): Promise<{ product: T[]; floor: T[] }> {
  const measured: { product: T[]; floor: T[] } = { product: [], floor: [] }
  for (let round = 0; round < rounds; round++) {
    tell(`round ${round + 1} of ${rounds}`)
    if (round % 2 === 0) measured.product.push(await product())
    measured.floor.push(await floor())
    if (round % 2 === 1) measured.product.push(await product())
  }
  return measured
}
