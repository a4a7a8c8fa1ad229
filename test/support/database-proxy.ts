import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { addressOfDatabase } from './faulty-line.ts'

/** A line to the database that a test can cut, as a network or a restart does, and mend again. */
export async function startDatabaseProxy(databaseUrl: string) {
  const { urlBy, ...first } = addressOfDatabase(databaseUrl)
  let { target } = first
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        other.destroy()
        open.delete(one)
      })
    }
  })
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve))
  await listen(0)
  const own = (server.address() as AddressInfo).port
  return {
    url: urlBy(own),
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of open) socket.destroy()
      await closed
    },
    mend: () => listen(own),
    /** Whoever connects from now on reaches another server. */
    leadTo(otherUrl: string) {
      ;({ target } = addressOfDatabase(otherUrl))
    },
  }
}
