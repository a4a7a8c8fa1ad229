import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Polls /health during a test. `stop` returns the number of requests, the slowest in milliseconds,
 * and failed statuses.
 */
export function watchHealth(url: string) {
  const stopped = new AbortController()
  let requests = 0
  let slowest = 0
  const failedStatuses: number[] = []
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      const startedAt = performance.now()
      const response = await fetch(`${url}/health`)
      await response.arrayBuffer()
      slowest = Math.max(slowest, performance.now() - startedAt)
      if (response.status !== 200) failedStatuses.push(response.status)
      requests++
      await sleep(20)
    }
  })()
  return {
    async stop() {
      stopped.abort()
      await watching
      return { requests, slowest, failedStatuses }
    },
  }
}
