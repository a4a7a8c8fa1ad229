import type { Logger } from '../../lib/logger.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Database } from '../../storage/engine/database.ts'
import { findEnded } from '../../storage/tasks/tasks.ts'

// A wake can be lost: the process that committed died before it sent it. One look for all waiters every few seconds finds
// those; nobody polls for himself.
const sweepMilliseconds = 5_000
const sweepTogether = 1_000

type Waiter = { taskId: string; end: () => void }

export type Waits = ReturnType<typeof createWaits>

/** Those who hold a request until a task leaves `open`. */
export function createWaits(database: Database, draining: AbortSignal, metrics: Metrics, log: Logger) {
  const waiters = new Set<Waiter>()
  let timer: NodeJS.Timeout | undefined
  draining.addEventListener('abort', () => {
    for (const waiter of waiters) waiter.end()
  })

  /** `ended` resolves when the task has left `open`, when time is up, when the caller goes, or on a drain. */
  function untilEnded(taskId: string, seconds: number, caller: AbortSignal) {
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const waiter: Waiter = { taskId, end }
    const stopListening = database.wakeUps.listen(taskId, () => void look([waiter]))
    const timeIsUp = setTimeout(end, seconds * 1000)
    caller.addEventListener('abort', end)
    if (caller.aborted || draining.aborted) end()
    join(waiter)
    return {
      ended,
      stop() {
        stopListening()
        clearTimeout(timeIsUp)
        caller.removeEventListener('abort', end)
        leave(waiter)
      },
    }
  }

  /** Updates and claims wake too; only the end of the task ends a wait. */
  async function look(some: Waiter[]): Promise<void> {
    try {
      const taskIds = some.map((waiter) => waiter.taskId)
      const ended = new Set(await findEnded(database, taskIds))
      for (const waiter of some) if (ended.has(waiter.taskId)) waiter.end()
    } catch (error) {
      log.warn({ err: error }, 'waiters could not look at their tasks')
    }
  }

  async function sweep(): Promise<void> {
    const all = [...waiters]
    for (let at = 0; at < all.length; at += sweepTogether) await look(all.slice(at, at + sweepTogether))
  }

  function join(waiter: Waiter): void {
    waiters.add(waiter)
    metrics.waits.set(waiters.size)
    timer ??= setInterval(() => void sweep(), sweepMilliseconds)
  }

  function leave(waiter: Waiter): void {
    waiters.delete(waiter)
    metrics.waits.set(waiters.size)
    if (waiters.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return { untilEnded }
}
