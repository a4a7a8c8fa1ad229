import { readdirSync } from 'node:fs'
import { WebSocket } from 'undici'
import { vi } from 'vitest'
import type { Node } from './nodes.ts'
import { waitOptions } from './wait-options.ts'

/** For `startNode`: opens Node's inspector on a free loopback port. */
export const inspectable = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

export type Inspected = Awaited<ReturnType<typeof inspectNode>>

/** Connects to a running process as a debugger does. */
export async function inspectNode(node: Pick<Node, 'errors' | 'pid'>) {
  const url = await vi.waitUntil(() => /ws:\/\/\S+/.exec(node.errors())?.[0], waitOptions)
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  const waiting = new Map<number, (result: { result: { value: unknown } }) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(data)
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  let lastId = 0
  const send = (method: string, params: object = {}) => {
    lastId += 1
    const answered = new Promise<{ result: { value: unknown } }>((resolve) => waiting.set(lastId, resolve))
    socket.send(JSON.stringify({ id: lastId, method, params }))
    return answered
  }
  return {
    /** Memory in megabytes after a garbage collection, and the number of handles and open files. */
    async usage() {
      await send('HeapProfiler.collectGarbage')
      const expression = `(({ rss, heapUsed }) => JSON.stringify({ rss: rss / 2 ** 20, heap: heapUsed / 2 ** 20,
        handles: process.getActiveResourcesInfo().length }))(process.memoryUsage())`
      const { result } = await send('Runtime.evaluate', { expression })
      const { rss, heap, handles } = JSON.parse(result.value as string)
      return { rss, heap, handles, files: openFiles(node.pid) } as Usage
    },
    close: () => socket.close(),
  }
}

export type Usage = { rss: number; heap: number; handles: number; files: number }

/** Only Linux provides it. */
function openFiles(pid: number): number {
  return process.platform === 'linux' ? readdirSync(`/proc/${pid}/fd`).length : 0
}
