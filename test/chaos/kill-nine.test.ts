import { expect, test } from 'vitest'
import { killNine } from './kill-nine.ts'

test('20 crashes under load, half of them with PostgreSQL, break no promise', async () => {
  const { broken, counts, connections } = await killNine(20)
  console.log(counts)
  expect(broken).toEqual([])
  expect(connections).toBeGreaterThan(20)
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(20)
})
