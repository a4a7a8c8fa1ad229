import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createListeners } from '../../lib/listeners.ts'
import type { Logger } from '../../lib/logger.ts'

export type WakeUps = ReturnType<typeof createWakeUps>

const channel = 'handrail_wake'
// PostgreSQL limits a notification to 8,000 bytes. An entry (a scope, a slash and a topic) and its
// separator have at most 62.
const entriesPerNotification = 120
const connectTimeoutMilliseconds = 5_000
const reconnectMilliseconds = 500
// The first wake-up is sent immediately, later ones within this time as one batch: at most 200
// notifications per second per process.
const batchMilliseconds = 5

// While the connection is lost, at most this many wake-ups are queued, and later ones are dropped.
const maxQueued = 10_000

/**
 * Hints that something was committed. They only reduce latency: a reader that gets a wake-up reads
 * the database again, and a reader that misses one finds the change in its sweep. NOTIFY is sent in
 * batches after the commit, because inside transactions it would serialize all commits of the
 * cluster on one lock.
 */
export function createWakeUps(directUrl: string, log: Logger) {
  const { listen, notify, notifyAll } = createListeners()
  let queued = new Set<string>()
  let sending = false
  let client: pg.Client | undefined
  let closed = false
  let retryTimer: NodeJS.Timeout | undefined
  void connect()

  async function connect(): Promise<void> {
    const connection = new pg.Client({
      connectionString: directUrl,
      application_name: 'handrail-wake-ups',
      connectionTimeoutMillis: connectTimeoutMilliseconds,
      keepAlive: true,
    })
    let isDisconnected = false
    // May be called twice: a connection that a proxy accepts and closes emits 'end' and also fails
    // to connect.
    const reconnect = () => {
      if (isDisconnected) return
      isDisconnected = true
      if (client === connection) client = undefined
      connection.removeAllListeners()
      connection.on('error', () => undefined)
      void connection.end().catch(() => undefined)
      if (!closed) retryTimer = setTimeout(() => void connect(), reconnectMilliseconds)
    }
    try {
      connection.on('error', reconnect)
      connection.on('end', reconnect)
      connection.on('notification', ({ payload, processId }) => {
        // Listeners in this process were already called by announce().
        if (processId === (connection as unknown as { processID: number }).processID) return
        for (const entry of payload?.split(' ') ?? [])
          notifyListeners(...(entry.split('/') as [string, string?]))
      })
      await connection.connect()
      await connection.query(`LISTEN ${channel}`)
      if (closed) return reconnect()
      client = connection
      // Wake-ups may have been missed while disconnected, so every listener is called.
      notifyAll()
      void send()
    } catch (error) {
      log.warn({ err: error }, 'failed to connect for wake-ups')
      reconnect()
    }
  }

  /**
   * `scope` is a workspace id, or `mcp` for MCP sessions. Calls the listeners of the scope and of
   * the topic.
   */
  function announce(scope: string, topic?: string): void {
    notifyListeners(scope, topic)
    if (queued.size < maxQueued) queued.add(topic ? `${scope}/${topic}` : scope)
    void send()
  }

  async function send(): Promise<void> {
    if (sending || !client) return
    sending = true
    try {
      while (queued.size > 0 && client) {
        const entries = [...queued]
        queued = new Set(entries.slice(entriesPerNotification))
        await client.query({
          name: 'wake-up',
          text: 'SELECT pg_notify($1, $2)',
          values: [channel, entries.slice(0, entriesPerNotification).join(' ')],
        })
        await sleep(batchMilliseconds)
      }
    } catch (error) {
      log.debug({ err: error }, 'failed to send wake-ups')
    } finally {
      sending = false
    }
  }

  function notifyListeners(scope: string, topic?: string): void {
    notify(scope)
    if (topic) notify(topic)
  }

  async function close(): Promise<void> {
    closed = true
    clearTimeout(retryTimer)
    const last = client
    client = undefined
    await last?.end().catch(() => undefined)
  }

  return {
    announce,
    /**
     * The key is the id of a workspace, task or MCP session, a cancellation key, or a constant such
     * as deliveriesDue. Returns an unsubscribe function.
     */
    listen,
    close,
  }
}
