import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { databaseAddress } from './faulty-proxy.ts'

/**
 * A TCP proxy in front of the database. A test can cut and restore its connections, as a network
 * failure or a restart does.
 */
export async function startDatabaseProxy(databaseUrl: string) {
  const { urlAtPort, ...first } = databaseAddress(databaseUrl)
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
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const ownPort = (server.address() as AddressInfo).port
  return {
    url: urlAtPort(ownPort),
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of open) socket.destroy()
      await closed
    },
    restore: () => listen(ownPort),
    /** New connections reach another server from now on. */
    redirectTo(otherUrl: string) {
      ;({ target } = databaseAddress(otherUrl))
    },
  }
}
