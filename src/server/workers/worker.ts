import cluster from 'node:cluster'
import { sendToPrimary, type ToWorker } from '../lib/worker-messages.ts'

export type StartOrder = Extract<ToWorker, { type: 'handrail:start' }>

/** Asks the primary process how to start, and waits for its order. */
export async function awaitStart(): Promise<StartOrder> {
  const order = new Promise<StartOrder>((resolve) => {
    process.on('message', (message: ToWorker) => {
      if (message.type === 'handrail:start') resolve(message)
      // This worker serves nothing yet, so there is nothing to drain.
      if (message.type === 'handrail:stop' && !isServing) process.exit(0)
    })
  })
  sendToPrimary({ type: 'handrail:starting' })
  return await order
}

let isServing = false

/**
 * Tells the primary process that this worker serves requests. `stop` drains this worker: it is
 * called when the primary process says so, or has ended and could no longer replace workers.
 */
export function reportServing(port: number, stop: (reason: string) => void): void {
  isServing = true
  process.on('message', (message: ToWorker) => {
    if (message.type === 'handrail:stop') stop(message.reason)
  })
  // Otherwise Node ends a worker at once when it loses its primary process.
  cluster.worker!.exitedAfterDisconnect = true
  process.once('disconnect', () => {
    // Requests during the drain still ask the primary process, for example for their limits.
    process.on('error', () => undefined)
    stop('The primary process has ended')
  })
  sendToPrimary({ type: 'handrail:serving', port })
}
