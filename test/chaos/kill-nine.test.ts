import { expect, test } from 'vitest'
import { killNine, killNodesInTurn } from './kill-nine.ts'
import type { Verdict } from './verdict.ts'

function expectNothingBroken({ broken, counts, connections }: Verdict): void {
  console.log(counts)
  expect(broken).toEqual([])
  expect(connections).toBeGreaterThan(20)
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(20)
}

test('20 crashes under load, half of them with PostgreSQL, break no promise', async () => {
  expectNothingBroken(await killNine(20))
})

test('20 crashes under load, of two nodes in turn, break no promise, and every answer is called back', async () => {
  expectNothingBroken(await killNodesInTurn(20))
})
