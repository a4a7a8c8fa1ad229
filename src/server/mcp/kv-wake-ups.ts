import { createListeners } from '../lib/listeners.ts'
import type { Logger } from '../lib/logger.ts'

// One channel for all topics, because each subscription takes a connection.
const channel = 'handrail:mcp:wake'
const reconnectMilliseconds = 1_000
// fetch aborts a response whose body is silent for five minutes, so an empty message is published
// every minute.
const pingMilliseconds = 60_000

/**
 * Sends wake-ups to all nodes and receives theirs. The topic of a wake-up is a session id, or names
 * a cancelled call (cancellations.ts). A wake-up may be lost or spurious.
 */
export function createKvWakeUps(options: {
  url: string
  token: string
  log: Logger
  publish(channel: string, text: string): Promise<unknown>
}) {
  const { url, token, log, publish } = options
  const { listen, notify, notifyAll } = createListeners()
  const stop = new AbortController()
  const ping = setInterval(() => void publish(channel, '').catch(() => undefined), pingMilliseconds).unref()
  void subscribe()

  /**
   * Reads the channel as server-sent events and reconnects. After a gap all listeners are called,
   * since wake-ups may be missing.
   */
  async function subscribe(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        const response = await fetch(`${url}/subscribe/${encodeURIComponent(channel)}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
          signal: stop.signal,
        })
        if (!response.ok || !response.body)
          throw new Error(`the key-value store responded with ${response.status}`)
        notifyAll()
        for await (const line of readLines(response.body)) {
          // data: message,<channel>,<text>
          const topic = /^data: *message,[^,]*,(.+)$/.exec(line)?.[1]
          if (topic) notify(topic)
        }
      } catch (error) {
        if (stop.signal.aborted) return
        log.warn({ err: error }, 'wake-up channel of the key-value store disconnected')
      }
      await new Promise((resolve) => setTimeout(resolve, reconnectMilliseconds).unref())
    }
  }

  async function announce(topic: string): Promise<void> {
    notify(topic)
    await publish(channel, topic)
  }

  function close(): void {
    clearInterval(ping)
    stop.abort()
  }

  return { announce, listen, close }
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    yield* parts
  }
}
