import { expect, test } from 'vitest'
import { failOver } from './failover.ts'

type Outcome = Awaited<ReturnType<typeof failOver>>

test('a failover in synchronous mode loses nothing acknowledged, and no open stream misses an event', async () => {
  const outcome = await failOver('synchronous')
  console.log(outcome.figures)
  expect(outcome.lost).toEqual([])
  expect(outcome.unexpected).toEqual([])
  expect(outcome.verdict.broken).toEqual([])
  // Otherwise the primary had nothing that the standby lacked.
  expect(outcome.figures.commitsHeldBack).toBeGreaterThan(0)
  expectReadersToMatch(outcome)
})

test('a failover in asynchronous mode loses only what the standby did not receive, and open streams start over and match the database', async () => {
  const outcome = await failOver('asynchronous')
  console.log(outcome.figures)
  // Without a loss this run would prove nothing.
  expect(outcome.figures.lost).toBeGreaterThan(0)
  expect(outcome.figures.events.seenAndLost).toBeGreaterThan(0)
  expect(outcome.lostThoughReplicated).toEqual([])
  // A client may still request a task that was lost.
  expect(outcome.unexpected.filter(({ status }) => status !== 404)).toEqual([])
  expectReadersToMatch(outcome)
})

function expectReadersToMatch(outcome: Outcome): void {
  const { figures, log, streams, names } = outcome
  const [before, after] = figures.timelines
  expect(after).not.toBe(before)
  for (const { seenOfLog, lostAfterStartOver } of streams) {
    expect(seenOfLog).toEqual(log)
    expect(lostAfterStartOver).toEqual([])
  }
  expect(Math.min(...figures.startOvers)).toBeGreaterThan(0)
  expect(outcome.shownAsOpen).toEqual(outcome.openInRecord.sort())
  // A call that was retried with its idempotency key created one task.
  expect(names).toHaveLength(new Set(names).size)
  const [open, reconnecting] = figures.connections
  expect(open).toBe(1)
  expect(reconnecting).toBeGreaterThan(10)
}
