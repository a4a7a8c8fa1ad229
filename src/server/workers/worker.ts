import cluster from 'node:cluster'
import { sendToPrimary, type ToWorker } from '../lib/worker-messages.ts'

export type StartOrder = Extract<ToWorker, { type: 'handrail:start' }>

/** In a worker: asks the primary process how to start. */
export async function awaitStart(): Promise<StartOrder> {
  const order = new Promise<StartOrder>((resolve) => {
    process.on('message', (message: ToWorker) => {
      if (message.type === 'handrail:start') resolve(message)
      // It serves nothing yet.
      if (message.type === 'handrail:stop' && !isServing) process.exit(0)
    })
  })
  sendToPrimary({ type: 'handrail:starting' })
  return await order
}

/** Until then, there is nothing to drain. */
let isServing = false

/** `stop` drains this process. It is also called if the primary process has gone: nobody would replace this one. */
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
