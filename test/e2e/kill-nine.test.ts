import { expect, test } from 'vitest'
import { killNine } from '../chaos/kill-nine.ts'

// `npm run test:chaos` runs twenty rounds, and also kills the service alone.
test('kill -9 of the service and of PostgreSQL under load loses nothing acknowledged', async () => {
  const { broken, counts, connections } = await killNine(1)
  expect(broken).toEqual([])
  // The reader reconnected. A node may be killed again before it has.
  expect(connections).toBeGreaterThan(1)
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0)
}, 300_000)
