import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

type Faults = { delays: number; stalls: number; resets: number }

/**
 * One in this many chunks is affected. A reset closes both sides at once, as a router does that
 * lost its state.
 */
type Odds = { delay: number; stall: number; reset: number }

const maxMilliseconds = { delay: 60, stall: 3_000 }

/**
 * A TCP proxy that delays, stalls and resets connections at random while faults are on. Data stays
 * in order.
 */
export async function startFaultyProxy(
  target: { host: string; port: number } | { path: string },
  random: (below: number) => number,
  oneIn: Odds,
) {
  const open = new Set<Socket>()
  const faults: Faults = { delays: 0, stalls: 0, resets: 0 }
  let hasFaults = false

  async function forward(chunk: Buffer, from: Socket, to: Socket): Promise<void> {
    from.pause()
    await injectFault(from, to)
    if (!to.destroyed && !to.write(chunk))
      await new Promise((resolve) => to.once('drain', resolve).once('close', resolve))
    from.resume()
  }

  async function injectFault(from: Socket, to: Socket): Promise<void> {
    if (!hasFaults) return
    if (random(oneIn.reset) === 0) {
      faults.resets++
      for (const socket of [from, to]) {
        if (socket.remoteFamily) socket.resetAndDestroy()
        else socket.destroy() // a unix socket cannot be reset
      }
    } else if (random(oneIn.stall) === 0) {
      faults.stalls++
      await sleep(random(maxMilliseconds.stall))
    } else if (random(oneIn.delay) === 0) {
      faults.delays++
      await sleep(random(maxMilliseconds.delay))
    }
  }

  const server = createServer((near) => {
    const far = connect(target)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      let forwarded = Promise.resolve()
      one.on('data', (chunk) => {
        forwarded = forwarded.then(() => forward(chunk, one, other))
      })
      one.on('end', () => void forwarded.then(() => other.end()))
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        void forwarded.then(() => other.destroy())
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    faults,
    startFaults() {
      hasFaults = true
    },
    stopFaults() {
      hasFaults = false
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

/** Where a database listens, and its URL when reached through a port on loopback. */
export function databaseAddress(databaseUrl: string) {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl })
  const credentials = [user ?? '', password]
    .filter(Boolean)
    .map((part) => encodeURIComponent(part as string))
    .join(':')
  return {
    target: host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port },
    urlAtPort: (other: number) => `postgres://${credentials}@127.0.0.1:${other}/${database}`,
  }
}
