import type { Logger } from '../../lib/logger.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Database } from '../../storage/engine/database.ts'
import { findWaitStates } from '../../storage/tasks/tasks.ts'

// Wake-ups can be lost, for example if a process dies between commit and NOTIFY. No waiter polls
// individually: a sweep takes one query per 1,000 waiters.
const sweepMilliseconds = 5_000
const sweepBatchSize = 1_000

/**
 * `afterNumber`: the number of a question in its task, or 0. While the task is open, only a
 * question with a higher number and without a reply ends the wait.
 */
type Waiter = { taskId: string; afterNumber: number; end: () => void }

export type Waits = ReturnType<typeof createWaits>

/** Requests that are held until a task leaves `open` or has a new question without a reply. */
export function createWaits(database: Database, draining: AbortSignal, metrics: Metrics, log: Logger) {
  const waiters = new Set<Waiter>()
  let timer: NodeJS.Timeout | undefined
  let isSweeping = false
  draining.addEventListener('abort', () => {
    for (const waiter of waiters) waiter.end()
  })

  /**
   * `ended` resolves when the task has left `open` or has a question after `afterNumber` without a
   * reply, when the time is up, when the caller disconnects, or when the service drains. Call
   * `stop` in any case.
   */
  function startWait(taskId: string, afterNumber: number, seconds: number, caller?: AbortSignal) {
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const waiter: Waiter = { taskId, afterNumber, end }
    const stopListening = database.wakeUps.listen(taskId, () => void endWaits([waiter]))
    const timeout = setTimeout(end, seconds * 1000)
    caller?.addEventListener('abort', end)
    if (caller?.aborted || draining.aborted) end()
    add(waiter)
    return {
      ended,
      stop() {
        stopListening()
        clearTimeout(timeout)
        caller?.removeEventListener('abort', end)
        remove(waiter)
      },
    }
  }

  /**
   * Ends the waits that are over. Reads the tasks, because updates and claims also cause wake-ups
   * but do not end a wait.
   */
  async function endWaits(batch: Waiter[]): Promise<void> {
    try {
      const taskIds = batch.map((waiter) => waiter.taskId)
      const found = await findWaitStates(database, taskIds)
      const states = new Map(found.map((state) => [state.id, state]))
      for (const { taskId, afterNumber, end } of batch) {
        const state = states.get(taskId)
        if (state && (state.hasEnded || (state.newestQuestion ?? 0) > afterNumber)) end()
      }
    } catch (error) {
      log.warn({ err: error }, 'failed to check waited-for tasks')
    }
  }

  async function sweep(): Promise<void> {
    if (isSweeping) return
    isSweeping = true
    const all = [...waiters]
    for (let start = 0; start < all.length; start += sweepBatchSize)
      await endWaits(all.slice(start, start + sweepBatchSize))
    isSweeping = false
  }

  function add(waiter: Waiter): void {
    waiters.add(waiter)
    metrics.waits.set(waiters.size)
    timer ??= setInterval(() => void sweep(), sweepMilliseconds)
  }

  function remove(waiter: Waiter): void {
    waiters.delete(waiter)
    metrics.waits.set(waiters.size)
    if (waiters.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return { startWait }
}
