import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { waitOptions } from '../../../../test/support/wait-options.ts'
import { createWakeUps } from './wake-ups.ts'

test('behind a proxy that accepts and closes connections, the listener reconnects with one connection at a time', async () => {
  // HAProxy does this while there is no primary: the connection ends, and connecting fails as well.
  const attempts: number[] = []
  const server = createServer((socket) => {
    attempts.push(performance.now())
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const wakeUps = createWakeUps(`postgres://x@127.0.0.1:${port}/x`, pino({ level: 'silent' }))
  try {
    await vi.waitUntil(() => attempts.length >= 4, waitOptions)
    const gaps = attempts.slice(1).map((at, i) => at - attempts[i]!)
    // A slow machine makes the gaps longer, never shorter.
    expect(Math.min(...gaps)).toBeGreaterThan(400)
  } finally {
    await wakeUps.close()
    server.close()
  }
})
