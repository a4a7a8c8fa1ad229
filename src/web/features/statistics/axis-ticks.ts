/** A few round axis ticks from 0 to at least the largest value. */
export function axisTicks(largest: number): number[] {
  const minStep = Math.max(1, largest) / 4
  const magnitude = 10 ** Math.floor(Math.log10(minStep))
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((times) => times * magnitude).find((candidate) => candidate >= minStep) ?? 1,
  )
  return Array.from({ length: Math.ceil(Math.max(1, largest) / step) + 1 }, (_, n) => n * step)
}
