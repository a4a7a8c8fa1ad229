import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

type Faults = { delays: number; stalls: number; resets: number }

/** Of so many pieces of data one is hit. A reset tears down both sides at once, as a router that forgot us does. */
type Odds = { delay: number; stall: number; reset: number }

const longest = { delay: 60, stall: 3_000 } // milliseconds

/** A line that, while it is troubled, delays, stalls and resets by the numbers it is given. What it carries stays in order. */
export async function startFaultyLine(
  target: { host: string; port: number } | { path: string },
  random: (below: number) => number,
  oneIn: Odds,
) {
  const open = new Set<Socket>()
  const faults: Faults = { delays: 0, stalls: 0, resets: 0 }
  let troubled = false

  async function carry(chunk: Buffer, from: Socket, to: Socket): Promise<void> {
    from.pause()
    await suffer(from, to)
    if (!to.destroyed && !to.write(chunk))
      await new Promise((resolve) => to.once('drain', resolve).once('close', resolve))
    from.resume()
  }

  async function suffer(from: Socket, to: Socket): Promise<void> {
    if (!troubled) return
    if (random(oneIn.reset) === 0) {
      faults.resets++
      for (const socket of [from, to]) {
        if (socket.remoteFamily) socket.resetAndDestroy()
        else socket.destroy() // a unix socket knows no reset
      }
    } else if (random(oneIn.stall) === 0) {
      faults.stalls++
      await sleep(random(longest.stall))
    } else if (random(oneIn.delay) === 0) {
      faults.delays++
      await sleep(random(longest.delay))
    }
  }

  const server = createServer((near) => {
    const far = connect(target)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      let carried = Promise.resolve()
      one.on('data', (chunk) => {
        carried = carried.then(() => carry(chunk, one, other))
      })
      one.on('end', () => void carried.then(() => other.end()))
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        void carried.then(() => other.destroy())
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    faults,
    trouble() {
      troubled = true
    },
    calm() {
      troubled = false
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

/** Where a database listens, and its address by another port of loopback. */
export function addressOfDatabase(databaseUrl: string) {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl })
  const who = [user ?? '', password]
    .filter(Boolean)
    .map((part) => encodeURIComponent(part as string))
    .join(':')
  return {
    target: host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port },
    urlBy: (other: number) => `postgres://${who}@127.0.0.1:${other}/${database}`,
  }
}
