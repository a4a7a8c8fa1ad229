type Message = {
  jsonrpc: '2.0'
  id?: string | number
  method?: string
  params?: unknown
  result?: unknown
  error?: { code: number; message: string }
}
type Pending = { resolve(result: unknown): void; reject(error: Error): void }

export type Bridge = {
  request(method: string, params: object): Promise<unknown>
  notify(method: string, params: object): void
}

const timeoutMilliseconds = 30_000
const methodNotFound = -32_601

/**
 * JSON-RPC with the host of the chat, over postMessage, as MCP Apps (2026-01-26) defines it.
 * Messages go to any origin, because a card cannot know the origin of its host; they contain no
 * data of a task that the host has not sent to the card.
 *
 * `onMessage` returns whether it knows the method.
 */
export function openBridge(onMessage: (method: string, params: unknown) => boolean): Bridge {
  const pending = new Map<string | number, Pending>()
  let lastId = 0
  const post = (message: Omit<Message, 'jsonrpc'>) =>
    window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*')

  window.addEventListener('message', ({ source, data }: MessageEvent<Message | null>) => {
    if (source !== window.parent || data?.jsonrpc !== '2.0') return
    const { id, method, params, result, error } = data
    if (method !== undefined) {
      const isKnown = onMessage(method, params)
      if (id === undefined) return
      if (isKnown) post({ id, result: {} })
      else post({ id, error: { code: methodNotFound, message: 'Method not found' } })
    } else if (id !== undefined) {
      const request = pending.get(id)
      pending.delete(id)
      if (error) request?.reject(new Error(error.message))
      else request?.resolve(result)
    }
  })

  return {
    request(method, params) {
      lastId += 1
      const id = lastId
      post({ id, method, params })
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject })
        setTimeout(() => {
          if (pending.delete(id)) reject(new Error(`No response to ${method}`))
        }, timeoutMilliseconds)
      })
    },
    notify: (method, params) => post({ method, params }),
  }
}
