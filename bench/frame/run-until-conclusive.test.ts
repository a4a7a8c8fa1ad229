import { expect, test } from 'vitest'
import { spread } from './row.ts'
import { inTurns, runUntilConclusive } from './run-until-conclusive.ts'

function measure(figures: number[]) {
  const left = [...figures]
  return runUntilConclusive(
    { showProgress: () => undefined, quick: false },
    { min: 3, max: 9 },
    async () => left.shift()!,
    (rounds) => [
      {
        what: '',
        unit: 'ms',
        product: spread(rounds),
        targets: [{ of: 'product', is: 'at most', value: 10 }],
      },
    ],
  )
}

test('a conclusive case ends early, an inconclusive one continues until it is conclusive or reaches the maximum', async () => {
  const [clear, cleared, never] = await Promise.all([
    measure([1, 2, 3, 4]),
    measure([1, 2, 30, 1, 2, 1, 2, 1, 2]),
    measure([1, 30, 1, 30, 1, 30, 1, 30, 1, 30]),
  ])
  expect(clear[0]!.product.rounds).toHaveLength(3)
  expect(cleared[0]!.product.rounds).toHaveLength(8)
  expect(never[0]!.product.rounds).toHaveLength(9)
})

test('product and baseline alternate in who goes first', async () => {
  const order: string[] = []
  const note = (name: string) => async () => order.push(name)
  const round = inTurns(note('product'), note('baseline'))
  await round()
  await round()
  expect(order).toEqual(['product', 'baseline', 'baseline', 'product'])
})
