import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../../lib/logger.ts'

export type WakeUps = ReturnType<typeof createWakeUps>

const channel = 'handrail_wake'
// PostgreSQL takes at most 8,000 bytes a notification; an entry is 60 bytes.
const entriesPerNotification = 120
const connectMilliseconds = 5_000
const reconnectMilliseconds = 500
// The first wake goes at once; what follows within this time travels together, so that a busy process notifies 200 times
// a second at most.
const pauseMilliseconds = 5

/**
 * Hints that something was committed. They make readers quick, never right: whoever is woken reads the database again,
 * and a reader that is not woken must still come to the same answer, by its own sweep or at its end.
 * NOTIFY is sent after the commit and many at a time, on a connection of its own: inside a transaction it would
 * make all committing transactions of the cluster queue up behind one lock.
 */
export function createWakeUps(directUrl: string, log: Logger) {
  const listeners = new Map<string, Set<() => void>>()
  let waiting = new Set<string>()
  let sending = false
  let client: pg.Client | undefined
  let closed = false
  let retry: NodeJS.Timeout | undefined
  void connect()

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: directUrl,
      application_name: 'handrail-wake-ups',
      connectionTimeoutMillis: connectMilliseconds,
      keepAlive: true,
    })
    let isLost = false
    // A connection that is accepted and then closed, as a proxy without a primary does, both ends and fails to connect.
    const lost = () => {
      if (isLost) return
      isLost = true
      if (client === fresh) client = undefined
      fresh.removeAllListeners()
      fresh.on('error', () => undefined)
      void fresh.end().catch(() => undefined)
      if (!closed) retry = setTimeout(() => void connect(), reconnectMilliseconds)
    }
    try {
      fresh.on('error', lost)
      fresh.on('end', lost)
      fresh.on('notification', ({ payload, processId }) => {
        // Our own were rung when they were announced.
        if (processId === (fresh as unknown as { processID: number }).processID) return
        for (const entry of payload?.split(' ') ?? []) ring(...(entry.split('/') as [string, string?]))
      })
      await fresh.connect()
      await fresh.query(`LISTEN ${channel}`)
      if (closed) return lost()
      client = fresh
      // What was announced while nobody listened is unknown: everyone looks again.
      for (const key of [...listeners.keys()]) call(key)
      void send()
    } catch (error) {
      log.warn({ err: error }, 'the wake connection could not be made')
      lost()
    }
  }

  function announce(workspaceId: string, taskId?: string): void {
    ring(workspaceId, taskId)
    waiting.add(taskId ? `${workspaceId}/${taskId}` : workspaceId)
    void send()
  }

  async function send(): Promise<void> {
    if (sending || !client) return
    sending = true
    try {
      while (waiting.size > 0 && client) {
        const entries = [...waiting]
        waiting = new Set(entries.slice(entriesPerNotification))
        await client.query({
          name: 'wake',
          text: 'SELECT pg_notify($1, $2)',
          values: [channel, entries.slice(0, entriesPerNotification).join(' ')],
        })
        await sleep(pauseMilliseconds)
      }
    } catch (error) {
      log.debug({ err: error }, 'a wake was not sent')
    } finally {
      sending = false
    }
  }

  function ring(workspaceId: string, taskId?: string): void {
    call(workspaceId)
    if (taskId) call(taskId)
  }

  function call(key: string): void {
    for (const listener of [...(listeners.get(key) ?? [])]) listener()
  }

  /** `key` is a workspace id or a task id. Returns the way to stop listening. */
  function listen(key: string, listener: () => void): () => void {
    const set = listeners.get(key) ?? new Set()
    listeners.set(key, set.add(listener))
    return () => {
      set.delete(listener)
      if (set.size === 0 && listeners.get(key) === set) listeners.delete(key)
    }
  }

  async function close(): Promise<void> {
    closed = true
    clearTimeout(retry)
    const last = client
    client = undefined
    await last?.end().catch(() => undefined)
  }

  return { announce, listen, close }
}
