import { expect, test } from 'vitest'
import { killNine, killNodesInTurn } from './kill-nine.ts'
import type { Verdict } from './verdict.ts'

function expectNothingBroken({ broken, counts, connections }: Verdict): void {
  console.log(counts)
  expect(broken).toEqual([])
  // A node may be killed again before the reader has reconnected.
  expect(connections).toBeGreaterThan(10)
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(20)
}

test('20 crashes under load, half of them with PostgreSQL, lose nothing acknowledged', async () => {
  expectNothingBroken(await killNine(20))
})

test('20 crashes under load of two alternating nodes lose nothing acknowledged, and every answer reaches its callback', async () => {
  expectNothingBroken(await killNodesInTurn(20))
})
