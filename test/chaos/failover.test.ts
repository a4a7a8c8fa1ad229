import { expect, test } from 'vitest'
import { failOver } from './failover.ts'

type Outcome = Awaited<ReturnType<typeof failOver>>

test('a failover in synchronous mode loses nothing that was acknowledged, and no open stream misses an event', async () => {
  const outcome = await failOver('synchronous')
  console.log(outcome.figures)
  expect(outcome.lost).toEqual([])
  expect(outcome.odd).toEqual([])
  expect(outcome.verdict.broken).toEqual([])
  // Otherwise the leader had nothing that the standby lacked.
  expect(outcome.figures.commitsHeldBack).toBeGreaterThan(0)
  expectReadersToAgree(outcome)
})

test('a failover in asynchronous mode loses only what the standby did not receive, and open streams start over and agree with the record', async () => {
  const outcome = await failOver('asynchronous')
  console.log(outcome.figures)
  // Without a loss this run would show nothing.
  expect(outcome.figures.lost).toBeGreaterThan(0)
  expect(outcome.figures.events.seenAndLost).toBeGreaterThan(0)
  expect(outcome.lostThoughReplicated).toEqual([])
  // An agent or a person may still ask for a task that is gone.
  expect(outcome.odd.filter(({ status }) => status !== 404)).toEqual([])
  expectReadersToAgree(outcome)
})

function expectReadersToAgree(outcome: Outcome): void {
  const { figures, log, streams, names } = outcome
  const [before, after] = figures.timelines
  expect(after).not.toBe(before)
  for (const { seenOfLog, goneAfterStartOver } of streams) {
    expect(seenOfLog).toEqual(log)
    expect(goneAfterStartOver).toEqual([])
  }
  expect(Math.min(...figures.startOvers)).toBeGreaterThan(0)
  expect(outcome.shownAsOpen).toEqual(outcome.openInRecord.sort())
  // A call that was repeated with its idempotency key made one task.
  expect(names).toHaveLength(new Set(names).size)
  const [open, reconnecting] = figures.connections
  expect(open).toBe(1)
  expect(reconnecting).toBeGreaterThan(10)
}
