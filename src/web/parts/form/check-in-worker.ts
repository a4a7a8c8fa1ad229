import type { Violation } from '../../../contract/violation.ts'
import { trustedScriptUrl } from '../../lib/trusted-script-url.ts'
import type { CheckRequest, CheckResult } from './check-worker.ts'
import workerUrl from './check-worker.ts?worker&url'

// A normal check takes a few milliseconds. Loading the worker has its own, longer timeout.
const checkTimeoutMilliseconds = 400
const startTimeoutMilliseconds = 4_000

type Running = { worker: Worker; ready: Promise<boolean> }
let running: Running | undefined
let lastId = 0

/** Starts the worker in advance so that the first check is fast. */
export function startChecker(): Running {
  if (running) return running
  const worker = new Worker(trustedScriptUrl(workerUrl), { type: 'module' })
  const ready = new Promise<boolean>((resolve) => {
    worker.addEventListener('message', () => resolve(true), { once: true })
    worker.addEventListener('error', () => resolve(false), { once: true })
    setTimeout(resolve, startTimeoutMilliseconds, false)
  })
  running = { worker, ready }
  return running
}

/**
 * The errors of an answer. null: it could not be checked in this browser, so only the service
 * checks it.
 */
export async function checkInWorker(schema: unknown, data: unknown): Promise<Violation[] | null> {
  const checker = startChecker()
  const { worker, ready } = checker
  if (!(await ready)) return abandon(checker)
  const id = ++lastId
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(abandon(checker)), checkTimeoutMilliseconds)
    const onMessage = ({ data: result }: MessageEvent<CheckResult>) => {
      if (result.id !== id) return
      clearTimeout(timer)
      worker.removeEventListener('message', onMessage)
      resolve(result.errors)
    }
    worker.addEventListener('message', onMessage)
    const request: CheckRequest = { id, schema, data }
    worker.postMessage(request)
  })
}

/** Stops a worker that did not respond in time. The next check starts a new worker if none is running. */
function abandon(checker: Running): null {
  checker.worker.terminate()
  if (running === checker) running = undefined
  return null
}
