import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createOutboundHttp, type OutboundHttp, type OutboundOptions } from './outbound-http.ts'

// Nothing here leaves the machine, even if the guard is broken: the tests resolve names and call
// only loopback. Other addresses are tested in address-rule.test.ts.

const refusal = /^The address is not public\./

/** All mean this machine. Those in 127.0.0.0/8 first. */
const in127 = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  '0177.0.0.1',
  '017700000001',
  '①②⑦.⓪.⓪.①',
  '127.0.0.1.',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
]
const elsewhere = ['[::1]', '[0:0:0:0:0:0:0:1]', '0', '0.0.0.0', '0x0', '[::]', '[::ffff:0.0.0.0]']

describe('nothing but the allowed receiver is ever connected to', () => {
  let traps: Trap
  const opened: OutboundHttp[] = []
  beforeAll(async () => {
    traps = await setTraps()
  })
  afterEach(async () => {
    traps.connections = []
    traps.requests = []
    await Promise.all(opened.splice(0).map((outbound) => outbound.close()))
  })
  afterAll(() => traps.close())

  function open(options: Partial<OutboundOptions> = {}): OutboundHttp {
    const resolve = () => Promise.reject(new Error('This test asks for no name.'))
    const outbound = createOutboundHttp({ allowedCidrs: [], resolve, ...options })
    opened.push(outbound)
    return outbound
  }
  const post = (outbound: OutboundHttp, host: string, path = '/') =>
    outbound.post(`http://${host}:${traps.port}${path}`, { 'content-type': 'application/json' }, '{}')

  test.each([...in127, ...elsewhere])('loopback as %s is refused without a connection', async (host) => {
    expect(await post(open(), host)).toMatchObject({
      status: undefined,
      error: expect.stringMatching(refusal),
    })
    expect(traps.connections).toEqual([])
  })

  test.each(in127)('with 127.0.0.0/8 allowed, %s is this machine and is called', async (host) => {
    expect(await post(open({ allowedCidrs: ['127.0.0.0/8'] }), host)).toMatchObject({ status: 200 })
    expect(traps.requests).toEqual(['POST /'])
  })

  test.each(elsewhere)('with 127.0.0.0/8 allowed, %s stays refused', async (host) => {
    const outcome = await post(open({ allowedCidrs: ['127.0.0.0/8'] }), host)
    expect(outcome.error).toMatch(refusal)
    expect(traps.connections).toEqual([])
  })

  test('a name is refused if any of its addresses is, in any position', async () => {
    for (const addresses of [
      ['127.0.0.1', '::1'],
      ['::1', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.1', '0.0.0.0'],
      ['127.0.0.1', '::ffff:0.0.0.0'],
      ['127.0.0.1', 'not an address'],
    ]) {
      const outbound = open({ allowedCidrs: ['127.0.0.0/8'], resolve: async () => addresses })
      expect((await post(outbound, 'mixed.test')).error, String(addresses)).toMatch(refusal)
    }
    expect(traps.connections).toEqual([])
  })

  test('a name is checked for every connection, and the checked address is the one connected to', async () => {
    const answers = [['127.0.0.1'], ['::1'], ['127.0.0.1']]
    const asked: string[] = []
    const outbound = open({
      allowedCidrs: ['127.0.0.0/8'],
      resolve: async (name) => {
        asked.push(name)
        return answers.shift()!
      },
    })
    expect(await post(outbound, 'rebinding.test')).toMatchObject({ status: 200 })
    expect((await post(outbound, 'rebinding.test')).error).toMatch(refusal)
    expect(await post(outbound, 'rebinding.test')).toMatchObject({ status: 200 })
    expect(asked).toEqual(['rebinding.test', 'rebinding.test', 'rebinding.test'])
    expect(traps.connections).toEqual(['127.0.0.1', '127.0.0.1'])
  })

  test.each(['localhost', 'app.localhost', 'localhost.'])(
    '%s is allowed or refused by its addresses',
    async (name) => {
      const resolve = async () => ['127.0.0.1']
      expect((await post(open({ resolve }), name)).error).toMatch(refusal)
      expect(traps.connections).toEqual([])
      expect(await post(open({ resolve, allowedCidrs: ['127.0.0.0/8'] }), name)).toMatchObject({
        status: 200,
      })
    },
  )

  test('a name without an address, or that cannot be resolved, gives a readable error', async () => {
    expect(await post(open({ resolve: async () => [] }), 'empty.test')).toMatchObject({
      error: 'The host name has no address.',
    })
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND gone.test'), { code: 'ENOTFOUND' })
    const gone = await post(open({ resolve: () => Promise.reject(unknown) }), 'gone.test')
    expect(gone).toMatchObject({ status: undefined, error: 'ENOTFOUND: getaddrinfo ENOTFOUND gone.test' })
    const never = open({ resolve: () => new Promise(() => {}), timeoutMilliseconds: 200 })
    expect((await post(never, 'slow.test')).error).toBe('No response within 0.2 s.')
  })

  describe('a document', () => {
    const limits = { maxBytes: 100, timeoutMilliseconds: 300 }
    const get = (outbound: OutboundHttp, host = '127.0.0.1') =>
      outbound.get(`http://${host}:${traps.port}/`, limits)
    const allowed = () => open({ allowedCidrs: ['127.0.0.0/8'] })
    afterEach(() => {
      traps.answer = answerOk
    })

    test('is read up to its size limit', async () => {
      traps.answer = (_, response) => response.end('x'.repeat(100))
      expect(await get(allowed())).toEqual({ text: 'x'.repeat(100) })
      traps.answer = (_, response) => response.end('x'.repeat(101))
      expect(await get(allowed())).toEqual({ error: 'It is larger than 100 bytes.' })
    })

    test('is not read from an address that is refused, nor after a redirect', async () => {
      for (const host of ['127.0.0.1', '[::1]', '2130706433'])
        expect(await get(open(), host)).toEqual({ error: expect.stringMatching(refusal) })
      expect(traps.connections).toEqual([])
      traps.answer = (_, response) => response.writeHead(302, { location: '/elsewhere' }).end('{}')
      expect(await get(allowed())).toEqual({ error: 'The response was 302.' })
      expect(traps.requests).toEqual(['GET /'])
    })

    test('must arrive in time, also if it arrives byte by byte', async () => {
      traps.answer = (_, response) => {
        const timer = setInterval(() => response.write('x'), 50)
        response.on('close', () => clearInterval(timer))
      }
      expect(await get(allowed())).toEqual({ error: 'No response within 0.3 s.' })
    })
  })

  test.each([301, 302, 303, 307, 308])('a redirect (%i) is not followed', async (status) => {
    traps.answer = (request, response) => {
      const location = request.url === '/' ? `http://127.0.0.1:${traps.port}/elsewhere` : '/'
      response.writeHead(status, { location }).end('moved')
    }
    const outbound = open({ allowedCidrs: ['127.0.0.0/8'] })
    expect(await post(outbound, '127.0.0.1')).toMatchObject({ status, responseBody: 'moved' })
    expect(traps.requests).toEqual(['POST /'])
    traps.answer = answerOk
  })

  test('only http and https are supported, and a proxy from the environment is not used', async () => {
    for (const url of ['ftp://127.0.0.1/', 'file:///etc/passwd', 'not a url', 'http://'])
      expect(await open().post(url, {}, '{}')).toMatchObject({ status: undefined, error: expect.any(String) })
    process.env.http_proxy = `http://127.0.0.1:${traps.port}`
    try {
      expect((await post(open(), '0.0.0.0')).error).toMatch(refusal)
    } finally {
      delete process.env.http_proxy
    }
    expect(traps.connections).toEqual([])
  })
})

describe('what a receiver may do', () => {
  const servers: Server[] = []
  const allowedCidrs = ['127.0.0.1/32']
  const outbound = createOutboundHttp({ allowedCidrs, timeoutMilliseconds: 10_000 })
  const impatient = createOutboundHttp({ allowedCidrs, timeoutMilliseconds: 1_000 })
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })
  afterAll(() => Promise.all([outbound.close(), impatient.close()]))

  async function callReceiver(answer: RequestListener, caller = outbound) {
    const server = createServer(answer)
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    return await caller.post(`http://127.0.0.1:${port}/`, { 'content-type': 'application/json' }, '{"a":1}')
  }

  test('it gets the body as it is, and the connection is not used again', async () => {
    const seen: unknown[] = []
    const outcome = await callReceiver((request, response) => {
      request.setEncoding('utf8').on('data', (text) => seen.push(text, request.headers.connection))
      request.on('end', () => response.end('thanks'))
    })
    expect(outcome).toEqual({ status: 200, durationMilliseconds: expect.any(Number), responseBody: 'thanks' })
    expect(seen).toEqual(['{"a":1}', 'close'])
  })

  test('only the first KiB of a long response is kept, without NUL', async () => {
    const outcome = await callReceiver((_, response) => {
      response.writeHead(500).end(`\0a${'é'.repeat(3_000)}`)
    })
    expect(outcome).toMatchObject({ status: 500, responseBody: `a${'é'.repeat(511)}` })
  })

  test('a response of 64 KiB is read completely', async () => {
    let isClosedEarly: boolean | undefined
    const outcome = await callReceiver(async (_, response) => {
      const closed = new Promise((resolve) => response.on('close', resolve))
      response.write('x'.repeat(64 * 1024 - 1))
      // The client has read the rest when the last byte is sent.
      await Promise.race([closed, sleep(100)])
      isClosedEarly = response.destroyed
      response.end('x')
    })
    expect(outcome).toMatchObject({ status: 200 })
    expect(isClosedEarly).toBe(false)
  })

  test('an endless response is aborted after 64 KiB, long before the timeout, and its status counts', async () => {
    for (const headers of [{}, { 'content-length': 10_000_000 }]) {
      let cut: Promise<unknown> = Promise.resolve()
      const outcome = await callReceiver((_, response) => {
        cut = new Promise((resolve) => response.on('close', () => resolve(response.writableFinished)))
        response.writeHead(200, headers).write('x'.repeat(64 * 1024 + 1))
      })
      expect(outcome).toMatchObject({ status: 200, responseBody: 'x'.repeat(1024) })
      expect(outcome).not.toHaveProperty('error')
      expect(outcome.durationMilliseconds).toBeLessThan(5_000)
      expect(await cut).toBe(false)
    }
  })

  test('a receiver that never responds is aborted after the timeout', async () => {
    let left: Promise<unknown> = Promise.resolve()
    const outcome = await callReceiver((request) => {
      left = new Promise((resolve) => request.on('close', () => resolve('left')))
    }, impatient)
    expect(outcome).toMatchObject({ status: undefined, error: 'No response within 1 s.' })
    expect(outcome.durationMilliseconds).toBeGreaterThanOrEqual(950)
    expect(outcome.durationMilliseconds).toBeLessThan(10_000)
    expect(await left).toBe('left')
  })

  test('a receiver that sends its headers slowly is aborted too', async () => {
    const outcome = await callReceiver(async ({ socket }) => {
      socket.on('error', () => {})
      socket.write('HTTP/1.1 200 OK\r\n')
      while (!socket.destroyed) {
        socket.write('X-A: b\r\n')
        await sleep(50)
      }
    }, impatient)
    expect(outcome).toMatchObject({ status: undefined, error: 'No response within 1 s.' })
  })

  test('a receiver that sends its body slowly has responded, and is aborted after the timeout', async () => {
    const outcome = await callReceiver(async (_, response) => {
      response.writeHead(200)
      while (!response.destroyed) {
        response.write('x')
        await sleep(50)
      }
    }, impatient)
    expect(outcome).toMatchObject({ status: 200, responseBody: expect.stringMatching(/^x+$/) })
    expect(outcome.durationMilliseconds).toBeLessThan(10_000)
  })

  test('a reset connection, a closed one and invalid HTTP give readable errors', async () => {
    const reset = await callReceiver(({ socket }) => socket.resetAndDestroy())
    const closed = await callReceiver(({ socket }) => socket.destroy())
    const noHttp = await callReceiver(({ socket }) => socket.end('220 smtp ready\r\n'))
    expect(reset).toMatchObject({ status: undefined, error: expect.stringContaining('ECONNRESET') })
    expect(closed).toMatchObject({ status: undefined, error: expect.stringContaining('other side closed') })
    expect(noHttp).toMatchObject({ status: undefined, error: expect.stringContaining('HTTP/1.1') })
  })

  test('a closed port gives a readable error', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const outcome = await outbound.post(`http://127.0.0.1:${port}/`, {}, '{}')
    expect(outcome).toMatchObject({ status: undefined, error: expect.stringContaining('ECONNREFUSED') })
  })

  test('Retry-After is read as seconds or as a date, and invalid values are ignored', async () => {
    const inTwoMinutes = new Date(Date.now() + 120_000).toUTCString()
    const read = async (header: string) =>
      (await callReceiver((_, response) => response.writeHead(429, { 'retry-after': header }).end()))
        .retryAfterSeconds
    expect(await read('120')).toBe(120)
    expect(await read(inTwoMinutes)).toSatisfy((seconds: number) => seconds > 110 && seconds <= 120)
    for (const nonsense of ['soon', '-5', '0', '1e3', '', 'Thu, 01 Jan 1970 00:00:00 GMT'])
      expect(await read(nonsense), nonsense).toBeUndefined()
  })

  test('an abort does not wait for the receiver', async () => {
    const stop = new AbortController()
    const server = createServer(() => stop.abort())
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const outcome = await outbound.post(`http://127.0.0.1:${port}/`, {}, '{}', stop.signal)
    expect(outcome.status).toBeUndefined()
    expect(outcome.error).not.toContain('No response within')
  })
})

type Trap = {
  port: number
  /** The local address of each connection. */
  connections: string[]
  requests: string[]
  answer: RequestListener
  close(): void
}

const answerOk: RequestListener = (_, response) => {
  response.end('ok')
}

/**
 * One port on every loopback address of this machine. Records each connection, even one without a
 * request.
 */
async function setTraps(): Promise<Trap> {
  const servers: Server[] = []
  const trap: Trap = {
    port: 0,
    connections: [],
    requests: [],
    answer: answerOk,
    close() {
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
  for (const address of ['127.0.0.1', '::1']) {
    const server = createServer((request, response) => {
      trap.requests.push(`${request.method} ${request.url}`)
      trap.answer(request, response)
    })
    server.on('connection', () => trap.connections.push(address))
    await new Promise<void>((resolve) => {
      // A machine without IPv6 has no such address, and nobody can be led there.
      server.once('error', () => resolve())
      server.listen(trap.port, address, resolve)
    })
    const bound = server.address() as AddressInfo | null
    if (!bound) continue
    trap.port = bound.port
    servers.push(server)
  }
  return trap
}
