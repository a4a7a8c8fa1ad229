import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { listen, patience } from '../../src/server/listen.ts'

// Real sockets and Node's own clockwork, with shorter times: what is tested is that the times are obeyed.
const times = { headersTimeout: 300, requestTimeout: 900, connectionsCheckingInterval: 50 }

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

test('headers that trickle in are cut', async () => {
  const port = await openDoor()
  const pieces = ['GET / HTTP/1.1\r\n', ...Array.from({ length: 1_000 }, (_, n) => `X-Slow-${n}: 1\r\n`)]
  const { answer, cutAfter } = await drip(port, pieces, 50)
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(cutAfter).toBeLessThan(10 * times.headersTimeout)
})

test('what is cut is told why', async () => {
  const port = await openDoor()
  const { answer } = await drip(port, ['GET / HTTP/1.1\r\n'], 20)
  expect(answer).toContain('content-type: application/problem+json')
  expect(answer).toContain('Send it again.')
})

test('a body that stalls or trickles in is cut', async () => {
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

test('a client that is merely slow is served', async () => {
  const port = await openDoor(patience)
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
  expect(patience.headersTimeout + patience.connectionsCheckingInterval).toBeLessThanOrEqual(20_000)
  expect(patience.requestTimeout + patience.connectionsCheckingInterval).toBeLessThanOrEqual(45_000)
})
