import { setTimeout as sleep } from 'node:timers/promises'

/** Asks /health again and again beside a test. `stop` tells how often, and the longest wait in milliseconds. */
export function watchHealth(url: string) {
  const stopped = new AbortController()
  let asked = 0
  let slowest = 0
  const unwell: number[] = []
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      const began = performance.now()
      const response = await fetch(`${url}/health`)
      await response.arrayBuffer()
      slowest = Math.max(slowest, performance.now() - began)
      if (response.status !== 200) unwell.push(response.status)
      asked++
      await sleep(20)
    }
  })()
  return {
    async stop() {
      stopped.abort()
      await watching
      return { asked, slowest, unwell }
    },
  }
}
