import { forEachConcurrently } from '../lib/for-each-concurrently.ts'
import { isTransient } from '../lib/transient-error.ts'
import type { Transaction } from '../storage/engine/database.ts'
import type { Service } from './service.ts'

const batchSize = 100
// Without a pause each failure would be logged every second, and a full batch of failing rows would
// keep all rows that are due later from being found.
const pauseMilliseconds = 60_000
const transientPauseMilliseconds = 2_000
/** Until when a row whose work has failed is not tried again, in milliseconds since 1970. */
const pausedUntil = new Map<string, number>()

type DueWork<Row> = {
  /** The rows that have been due for longest. */
  find(limit: number): Promise<Row[]>
  idOf(row: Row): string
  /** Returns false if there was nothing to do, for example because another process is working on the row. */
  work(tx: Transaction, row: Row): Promise<unknown>
  /** What the log says if the work on a row fails. The work on other rows continues. */
  failure: string
  /** How many rows are worked on at the same time, each with a database connection. Default: 1. */
  concurrency?: number
}

/**
 * Works on one batch of due rows, each in a transaction of its own. Returns true if the batch was
 * full and the work on some rows succeeded: the caller then calls this again at once.
 */
export async function processDue<Row extends { workspaceId: string }>(
  { database, log }: Service,
  { find, idOf, work, failure, concurrency = 1 }: DueWork<Row>,
): Promise<boolean> {
  const keyOf = (row: Row) => `${failure} ${idOf(row)}`
  for (const [key, until] of pausedUntil) if (Date.now() > until) pausedUntil.delete(key)
  const found = await find(batchSize + pausedUntil.size)
  const rows = found.filter((row) => !pausedUntil.has(keyOf(row)))
  let done = 0
  await forEachConcurrently(rows, concurrency, async (row) => {
    try {
      if ((await database.inWorkspace(row.workspaceId, (tx) => work(tx, row))) !== false) done++
    } catch (error) {
      const pause = isTransient(error) ? transientPauseMilliseconds : pauseMilliseconds
      pausedUntil.set(keyOf(row), Date.now() + pause)
      log.error({ err: error, id: idOf(row) }, failure)
    }
  })
  return rows.length >= batchSize && done > 0
}
