import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import type { Service } from '../../src/server/domain/service.ts'
import { createLogger } from '../../src/server/lib/logger.ts'
import { createMetrics } from '../../src/server/lib/metrics.ts'
import { connectionTimeouts, listen } from '../../src/server/listen.ts'
import { eventStream } from '../../src/server/rest/event-stream.ts'

// Real sockets with shorter timeouts than the service's.
const shortTimeouts = {
  headersTimeout: 300,
  requestTimeout: 900,
  connectionsCheckingInterval: 50,
  timeout: 60_000,
}

let close: (() => Promise<void>) | undefined
afterEach(() => close?.())

async function startListener(timeouts = shortTimeouts): Promise<number> {
  const listener = await listen('127.0.0.1', 0, 100, timeouts)
  listener.serve(async (request) => new Response(`read ${(await request.text()).length}`))
  close = () => listener.close(0)
  return listener.port
}

/**
 * Sends the pieces one by one until the server closes the connection. Returns its response and the
 * unsent pieces.
 */
function sendSlowly(
  port: number,
  pieces: string[],
  pauseMilliseconds: number,
): Promise<{ response: string; unsent: number }> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let response = ''
    const sending = setInterval(() => {
      const piece = pieces.shift()
      if (piece !== undefined) socket.write(piece)
    }, pauseMilliseconds)
    socket.on('data', (chunk) => {
      response += chunk
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(sending)
      resolve({ response, unsent: pieces.length })
    })
  })
}

test('headers that trickle in are aborted, with the reason', async () => {
  const port = await startListener()
  const pieces = ['GET / HTTP/1.1\r\n', ...Array.from({ length: 1_000 }, (_, n) => `X-Slow-${n}: 1\r\n`)]
  const { response, unsent } = await sendSlowly(port, pieces, 50)
  expect(response).toMatch(/^HTTP\/1\.1 408 /)
  expect(response).toContain('content-type: application/problem+json')
  expect(response).toContain('Send it again.')
  expect(unsent).toBeGreaterThan(500)
})

test('a body that stalls or trickles in is aborted', async () => {
  const port = await startListener()
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n'
  // Without the timeout for requests, the first would stay open for the 60 s of an idle connection.
  const startedAt = performance.now()
  await sendSlowly(port, [head, 'half'], 20)
  expect(performance.now() - startedAt).toBeLessThan(shortTimeouts.timeout / 2)
  const { unsent } = await sendSlowly(port, [head, ...Array.from({ length: 1_000 }, () => 'x')], 50)
  expect(unsent).toBeGreaterThan(500)
})

test('a request in several pieces is served', async () => {
  const port = await startListener(connectionTimeouts)
  const pieces = [
    'POST / HTTP/1.1\r\nHost: x\r\n',
    'Content-Length: 4\r\nConnection: close\r\n\r\n',
    'ha',
    'lf',
  ]
  const { response } = await sendSlowly(port, pieces, 60)
  expect(response).toMatch(/^HTTP\/1\.1 200 /)
  expect(response).toContain('read 4')
})

test('by default, slow headers are aborted within 20 seconds and stalled bodies within 45', () => {
  // Timeouts are checked at intervals, so a connection may live one interval longer.
  expect(
    connectionTimeouts.headersTimeout + connectionTimeouts.connectionsCheckingInterval,
  ).toBeLessThanOrEqual(20_000)
  expect(
    connectionTimeouts.requestTimeout + connectionTimeouts.connectionsCheckingInterval,
  ).toBeLessThanOrEqual(45_000)
})

test('by default, a connection may be idle for as long as a wait lasts, and at most 75 seconds', () => {
  expect(connectionTimeouts.timeout).toBeGreaterThan(limits.waitSeconds * 1_000)
  expect(connectionTimeouts.timeout).toBeLessThanOrEqual(75_000)
})

test('an unread event stream buffers one page, reads no further, and is closed', async () => {
  const listener = await listen('127.0.0.1', 0, 100, { ...shortTimeouts, timeout: 1_000 })
  close = () => listener.close(0)
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
    listener.serve(({ signal }) => {
      const held = { signal, release, reauthenticate: async () => undefined }
      const { stream, headers } = eventStream(service, 'inbox', batches(), held)
      return new Response(stream!, { headers: headers! })
    })
  })
  const socket = connect(listener.port, '127.0.0.1')
  socket.pause()
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await released
  socket.destroy()
  // Half a megabyte each: the kernel's socket buffers and one more page, not all 100 MB.
  expect(read).toBeLessThan(pages / 4)
  await expect.poll(() => ended).toBe(true)
  await expect.poll(() => service.metrics.streams.get()).toMatchObject({ values: [{ value: 0 }] })
})
