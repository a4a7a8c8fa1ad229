import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openMcpSession } from '../support/mcp-session.ts'
import { sendRaw } from '../support/raw-http.ts'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

let service: TestService
let acme: TestWorkspace
beforeAll(async () => {
  service = await startService({ MAX_CONNECTIONS: '10' })
  acme = await service.workspace()
})
afterAll(() => service.stop())

const expectedHeaders = {
  'content-security-policy': expect.stringContaining("default-src 'none'"),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

describe('every kind of response has security headers', () => {
  test.each([
    ['a page', 'GET', '/'],
    ['a problem', 'GET', '/api/v1/nothing'],
    ['health', 'GET', '/health'],
    ['MCP without a key', 'POST', '/mcp'],
    ['the MCP server card', 'GET', '/mcp/server-card'],
    ['an unsigned webhook', 'POST', '/webhooks/service'],
    ['an OAuth probe of an MCP client', 'GET', '/.well-known/oauth-protected-resource'],
    ['an internal route', 'GET', '/internal/keys/x'],
  ])('%s', async (_, method, path) => {
    const response = await fetch(`${service.url}${path}`, { method })
    await response.arrayBuffer()
    expect(Object.fromEntries(response.headers)).toMatchObject(expectedHeaders)
  })

  test('an MCP stream', async () => {
    const stream = await (await openMcpSession(service.url, acme.apiKey)).stream()
    expect(Object.fromEntries(stream.headers)).toMatchObject(expectedHeaders)
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    await stream.close()
  })

  test('a malformed request and one with too many headers, with the reason in words', async () => {
    const large = `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`
    for (const [bytes, status, words] of [
      [large, 431, /16 KiB/],
      ['hello\r\n\r\n', 400, /not a valid HTTP request/],
    ] as const) {
      const answer = await sendRaw(service.url, bytes)
      expect(answer.status).toBe(status)
      expect(answer.text).toMatch(/^x-content-type-options: nosniff\r$/m)
      expect(JSON.parse(answer.text.split('\r\n\r\n')[1]!)).toMatchObject({
        status,
        code: 'invalid_request',
        detail: expect.stringMatching(words),
      })
    }
  })
})

test('a body that is too large is rejected before it is read, with and without Content-Length', async () => {
  const head = `POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${acme.apiKey}\r\nContent-Type: application/json\r\n`
  const withLength = await statusBeforeEnd(`${head}Content-Length: 50000000\r\n\r\n{`)
  const size = 1024 * 1024 + 1
  const chunked = await statusBeforeEnd(
    `${head}Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`,
  )
  expect([withLength, chunked]).toEqual([413, 413])
})

/** The status of a response that arrives before the request is complete. */
async function statusBeforeEnd(bytes: string): Promise<number> {
  const socket = open()
  socket.write(bytes)
  const text = await new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))))
  socket.destroy()
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)![1])
}

function open(): Socket {
  const { hostname, port } = new URL(service.url)
  return connect(Number(port), hostname).on('error', () => undefined)
}

test('above MAX_CONNECTIONS a caller gets Retry-After and is served once others have disconnected', async () => {
  const request = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  const held = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const socket = open()
      await new Promise((resolve) => socket.once('connect', resolve))
      return socket
    }),
  )
  const refused = await vi.waitFor(async () => {
    const answer = await sendRaw(service.url, request)
    expect(answer.status).toBe(503)
    return answer
  }, waitOptions)
  expect(refused.text).toMatch(/^retry-after: 5\r$/m)
  expect(refused.text).toContain('"code":"unavailable"')
  for (const socket of held) socket.destroy()
  await vi.waitFor(async () => expect((await sendRaw(service.url, request)).status).toBe(200), waitOptions)
})
