import type { Logger } from '../lib/logger.ts'

// Long enough for an attempt and its bookkeeping; renewed while working, so a dead worker's rows are free soon after it.
export const leaseSeconds = 30
const renewMilliseconds = 10_000
const sweepMilliseconds = 1_000
const patienceMilliseconds = 10_000

export type DueWork<Row> = {
  name: string
  /** How many rows this process works on at once. */
  atOnce: number
  /** Takes due rows and leases them; other workers pass over them. */
  claim(room: number): Promise<Row[]>
  idOf(row: Row): string
  renew(ids: string[]): Promise<void>
  work(row: Row, signal: AbortSignal): Promise<void>
}

/** The due row is the queue: woken by a hint, swept by a timer, any number of processes beside each other. */
export function startDueWorker<Row>(
  work: DueWork<Row>,
  log: Logger,
  listen: (wake: () => void) => () => void,
): { close(): Promise<void>; lastSweepAt(): number } {
  const running = new Map<string, Promise<void>>()
  const stop = new AbortController()
  let closed = false
  let claiming = false
  let again = false
  let looking: Promise<void> = Promise.resolve()
  let lastSweepAt = Date.now()

  /** A hint while someone looks is not lost: he looks once more. */
  function wake(): void {
    again = true
    if (!claiming) looking = look()
  }

  async function look(): Promise<void> {
    claiming = true
    try {
      while (again && !closed) {
        again = false
        const room = work.atOnce - running.size
        if (room <= 0) break
        const rows = await work.claim(room)
        lastSweepAt = Date.now()
        for (const row of rows) start(row)
        // A full hand means there may be more.
        if (rows.length === room) again = true
      }
    } catch (error) {
      log.warn({ err: error, job: work.name }, 'due rows could not be claimed')
    } finally {
      claiming = false
    }
  }

  function start(row: Row): void {
    const id = work.idOf(row)
    const done = work
      .work(row, stop.signal)
      .catch((error) => log.error({ err: error, job: work.name, id }, 'a job failed; its lease will run out'))
      .finally(() => {
        running.delete(id)
        wake()
      })
    running.set(id, done)
  }

  const stopListening = listen(wake)
  const sweep = setInterval(wake, sweepMilliseconds)
  const renewal = setInterval(() => {
    if (running.size > 0) {
      work
        .renew([...running.keys()])
        .catch((error) => log.warn({ err: error, job: work.name }, 'leases were not renewed'))
    }
  }, renewMilliseconds)
  wake()

  return {
    lastSweepAt: () => lastSweepAt,
    async close() {
      closed = true
      stopListening()
      clearInterval(sweep)
      clearInterval(renewal)
      const patience = setTimeout(() => stop.abort(), patienceMilliseconds)
      // What is being claimed right now is ours to do.
      await looking
      await Promise.allSettled(running.values())
      clearTimeout(patience)
    },
  }
}
