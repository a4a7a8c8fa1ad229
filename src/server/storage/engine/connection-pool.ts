import type { Socket } from 'node:net'
import pg from 'pg'
import type { Logger } from '../../lib/logger.ts'

type Options = { url: string; size: number; killsStalled: boolean; log: Logger }

const connectTimeoutMilliseconds = 5_000
// Long, because a new connection has to plan every statement again.
const idleTimeoutMilliseconds = 600_000
// A connection is stalled after 10 s. Normal statements of requests and jobs take milliseconds.
const stallCheckMilliseconds = 2_000
const checksUntilStalled = 5

// When this machine has been paused, timers run before data that has arrived is read. So neither a
// wait for a connection nor one for a response counts the time of a pause.

export function openConnectionPool({ url, size, killsStalled, log }: Options): pg.Pool {
  const pool = new ConnectionPool({
    connectionString: url,
    max: size,
    idleTimeoutMillis: idleTimeoutMilliseconds,
    connectionTimeoutMillis: connectTimeoutMilliseconds,
    application_name: 'handrail',
  })
  // The pool replaces a broken connection, and its running query rejects. Without listeners both
  // error events would end the process.
  pool.on('error', (error) => pool.ending || log.warn({ err: error }, 'idle database connection failed'))
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    if (killsStalled) killWhenStalled(client)
  })
  return pool
}

class ConnectionPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | undefined {
    if (!callback) return this.#connectPatiently()
    super.connect(callback)
    return undefined
  }

  /** After a pause the wait starts over, once. */
  async #connectPatiently(): Promise<pg.PoolClient> {
    const startedAt = performance.now()
    try {
      return await super.connect()
    } catch (error) {
      const waited = performance.now() - startedAt
      if (waited < connectTimeoutMilliseconds + stallCheckMilliseconds) throw error
      return await super.connect()
    }
  }
}

/**
 * A frozen server or network does not close connections, so those that wait too long for a response
 * are destroyed. A pause counts as one check.
 */
function killWhenStalled(client: pg.PoolClient): void {
  // Not declared in pg's types.
  const inner = client as unknown as { connection: { stream: Socket }; readyForQuery: boolean }
  const { stream } = inner.connection
  let silentChecks = 0
  let bytesBefore = 0
  stream.setTimeout(stallCheckMilliseconds)
  // Emitted once after each activity or call of setTimeout.
  stream.on('timeout', () => {
    if (inner.readyForQuery) return
    const bytes = stream.bytesRead + stream.bytesWritten
    silentChecks = bytes === bytesBefore ? silentChecks + 1 : 1
    bytesBefore = bytes
    if (silentChecks < checksUntilStalled) stream.setTimeout(stallCheckMilliseconds)
    else stream.destroy()
  })
}
