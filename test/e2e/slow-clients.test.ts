import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import type { Service } from '../../src/server/domain/service.ts'
import { createLogger } from '../../src/server/lib/logger.ts'
import { createMetrics } from '../../src/server/lib/metrics.ts'
import { connectionTimeouts, listen } from '../../src/server/listen.ts'
import { eventStream } from '../../src/server/rest/event-stream.ts'

// Real sockets and Node's own clockwork, with shorter times: what is tested is that the times are obeyed.
const times = { headersTimeout: 300, requestTimeout: 900, connectionsCheckingInterval: 50, timeout: 5_000 }

let close: (() => Promise<void>) | undefined
afterEach(() => close?.())

async function openDoor(limits = times): Promise<number> {
  const door = await listen('127.0.0.1', 0, 100, limits)
  door.serve(async (request) => new Response(`read ${(await request.text()).length}`))
  close = () => door.close(0)
  return door.port
}

/** Sends the pieces one by one, and tells what came back and after how many milliseconds the line was cut. */
function drip(port: number, pieces: string[], pause: number): Promise<{ answer: string; cutAfter: number }> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const began = performance.now()
    let answer = ''
    const sending = setInterval(() => {
      const piece = pieces.shift()
      if (piece !== undefined) socket.write(piece)
    }, pause)
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(sending)
      resolve({ answer, cutAfter: performance.now() - began })
    })
  })
}

test('headers that trickle in are aborted', async () => {
  const port = await openDoor()
  const pieces = ['GET / HTTP/1.1\r\n', ...Array.from({ length: 1_000 }, (_, n) => `X-Slow-${n}: 1\r\n`)]
  const { answer, cutAfter } = await drip(port, pieces, 50)
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(cutAfter).toBeLessThan(10 * times.headersTimeout)
})

test('an aborted request gets the reason', async () => {
  const port = await openDoor()
  const { answer } = await drip(port, ['GET / HTTP/1.1\r\n'], 20)
  expect(answer).toContain('content-type: application/problem+json')
  expect(answer).toContain('Send it again.')
})

test('a body that stalls or trickles in is aborted', async () => {
  const port = await openDoor()
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n'
  for (const pieces of [
    [head, 'half'],
    [head, ...Array.from({ length: 1_000 }, () => 'x')],
  ]) {
    const { cutAfter } = await drip(port, pieces, 20)
    expect(cutAfter).toBeLessThan(10 * times.requestTimeout)
  }
})

test('a slow client is served', async () => {
  const port = await openDoor(connectionTimeouts)
  const pieces = [
    'POST / HTTP/1.1\r\nHost: x\r\n',
    'Content-Length: 4\r\nConnection: close\r\n\r\n',
    'ha',
    'lf',
  ]
  const { answer } = await drip(port, pieces, 60)
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(answer).toContain('read 4')
})

test('as the service runs: headers are cut in 20 seconds, stalled bodies in 45', () => {
  // The clockwork looks at intervals, so a connection may live one longer.
  expect(
    connectionTimeouts.headersTimeout + connectionTimeouts.connectionsCheckingInterval,
  ).toBeLessThanOrEqual(20_000)
  expect(
    connectionTimeouts.requestTimeout + connectionTimeouts.connectionsCheckingInterval,
  ).toBeLessThanOrEqual(45_000)
})

test('as the service runs: a connection may be silent for as long as a wait, and no more than 75 seconds', () => {
  expect(connectionTimeouts.timeout).toBeGreaterThan(limits.waitSeconds * 1_000)
  expect(connectionTimeouts.timeout).toBeLessThanOrEqual(75_000)
})

test('an unread event stream buffers one page, reads no further, and is closed', async () => {
  const door = await listen('127.0.0.1', 0, 100, { ...times, timeout: 1_000 })
  close = () => door.close(0)
  const pages = 200
  let read = 0
  let ended = false
  async function* batches() {
    try {
      for (; read < pages; read++)
        yield Array.from({ length: 100 }, (_, at) => ({ cursor: `${read}.${at}`, event: 'x'.repeat(5_000) }))
    } finally {
      ended = true
    }
  }
  const service = { metrics: createMetrics(), log: createLogger('fatal') } as unknown as Service
  const released = new Promise<void>((release) => {
    door.serve(({ signal }) => {
      const held = { signal, release, confirm: async () => undefined }
      const { stream, headers } = eventStream(service, 'inbox', batches(), held)
      return new Response(stream!, { headers: headers! })
    })
  })
  const socket = connect(door.port, '127.0.0.1')
  socket.pause()
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await released
  socket.destroy()
  // Half a megabyte each: what the kernel took for the socket, and one more. Not all 100 MB.
  expect(read).toBeLessThan(pages / 4)
  await expect.poll(() => ended).toBe(true)
  expect(await service.metrics.streams.get()).toMatchObject({ values: [{ value: 0 }] })
})
