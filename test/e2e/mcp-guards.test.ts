import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { initializeMessage, type McpSession, openMcpSession, postMcp } from '../support/mcp-session.ts'
import { moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('access control of /mcp', () => {
  let service: TestService
  let acme: TestWorkspace
  let other: TestWorkspace
  let session: McpSession
  let readsAnalyses: string
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    other = await service.workspace()
    session = await openMcpSession(service.url, acme.apiKey)
    const smaller = { name: 'reads analyses', scopes: ['analysis:read'] }
    readsAnalyses = (await acme.owner.post('/api-keys', smaller)).body.key
  })
  afterAll(() => service.stop())

  const ping = { jsonrpc: '2.0', id: 7, method: 'ping' }
  const initializeAs = (headers: Record<string, string>) => postMcp(service.url, initializeMessage, headers)
  const refusal = (code: number) => ({
    jsonrpc: '2.0',
    id: null,
    error: { code, message: expect.any(String) },
  })

  describe('keys', () => {
    test('a key is accepted in either header, and in both if it is the same', async () => {
      const key = acme.apiKey
      for (const headers of [
        { 'x-api-key': key },
        { authorization: `Bearer ${key}` },
        { authorization: `bearer ${key}`, 'x-api-key': key },
      ]) {
        expect((await initializeAs(headers as Record<string, string>)).status).toBe(200)
      }
    })

    test.each([
      ['no key', {}],
      ['an unknown key', { 'x-api-key': `hrl_${'0'.repeat(38)}` }],
      ['a string that is not a key', { 'x-api-key': 'secret' }],
      ['another scheme', { authorization: 'Basic YTpi' }],
      ['an empty key', { 'x-api-key': '' }],
    ])('%s is 401 with a challenge and a readable error', async (_, headers) => {
      for (const method of ['POST', 'GET', 'DELETE']) {
        const response = await fetch(`${service.url}/mcp`, {
          method,
          headers: headers as Record<string, string>,
          ...(method === 'POST' && { body: JSON.stringify(initializeMessage) }),
        })
        expect(response.status).toBe(401)
        expect(response.headers.get('www-authenticate')).toBe('Bearer realm="handrail"')
        expect(await response.json()).toEqual(refusal(-32000))
      }
    })

    test('two different keys are 400', async () => {
      const headers = { 'x-api-key': acme.apiKey, authorization: `Bearer ${other.apiKey}` }
      expect(await initializeAs(headers)).toMatchObject({ status: 400, body: refusal(-32000) })
    })

    test('a revoked key is 401 a few seconds later', async () => {
      const created = (await acme.owner.post('/api-keys', { name: 'short-lived' })).body
      const headers = { 'x-api-key': created.key }
      expect((await initializeAs(headers)).status).toBe(200)
      await acme.owner.delete(`/api-keys/${created.keyId}`)
      await vi.waitUntil(async () => (await initializeAs(headers)).status === 401, waitOptions)
    })
  })

  describe('origins', () => {
    test('a request from another origin is 403, even with a valid key', async () => {
      for (const origin of ['https://evil.example', 'null', `${service.url}.evil.example`]) {
        expect(await initializeAs({ 'x-api-key': acme.apiKey, origin })).toMatchObject({
          status: 403,
          body: refusal(-32000),
        })
      }
    })

    test('our own origin and clients without an origin are accepted', async () => {
      expect((await initializeAs({ 'x-api-key': acme.apiKey, origin: service.url })).status).toBe(200)
      expect((await initializeAs({ 'x-api-key': acme.apiKey })).status).toBe(200)
    })
  })

  describe('sessions', () => {
    const send = (method: string, headers: Record<string, string>) =>
      fetch(`${service.url}/mcp`, {
        method,
        headers: {
          'content-type': 'application/json',
          accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
          ...headers,
        },
        ...(method === 'POST' && { body: JSON.stringify(ping) }),
      })

    test.each(['POST', 'GET', 'DELETE'])(
      '%s: missing is 400; unknown, another workspace’s and another key’s are 404',
      async (method) => {
        const cases: [Record<string, string>, number, number][] = [
          [{ 'x-api-key': acme.apiKey }, 400, -32000],
          [{ 'x-api-key': acme.apiKey, 'mcp-session-id': 'nobody' }, 404, -32001],
          [{ 'x-api-key': acme.apiKey, 'mcp-session-id': 'x'.repeat(5_000) }, 404, -32001],
          [{ 'x-api-key': other.apiKey, 'mcp-session-id': session.sessionId }, 404, -32001],
          [{ 'x-api-key': readsAnalyses, 'mcp-session-id': session.sessionId }, 404, -32001],
        ]
        for (const [headers, status, code] of cases) {
          const response = await send(method, headers)
          expect([response.status, await response.json()]).toEqual([status, refusal(code)])
        }
      },
    )

    test('rejected requests did not affect the session', async () => {
      expect((await send('POST', session.identity)).status).toBe(200)
    })

    test('a rotated key keeps its sessions', async () => {
      const created = (await acme.owner.post('/api-keys', { name: 'rotated' })).body
      const opened = await openMcpSession(service.url, created.key)
      const { key } = (await acme.owner.post(`/api-keys/${created.keyId}/rotate`)).body
      for (const secret of [created.key, key])
        expect((await send('POST', { ...opened.identity, 'x-api-key': secret })).status).toBe(200)
    })

    test('an ended session is 404 from then on', async () => {
      const ending = await openMcpSession(service.url, acme.apiKey)
      expect((await ending.end()).status).toBe(204)
      for (const method of ['POST', 'GET', 'DELETE'])
        expect((await send(method, ending.identity)).status).toBe(404)
    })
  })

  describe('invalid requests', () => {
    test('a GET that does not accept event streams is 406', async () => {
      const withoutAccept = await new Promise<number>((resolve, reject) => {
        const request = httpRequest(`${service.url}/mcp`, { headers: session.identity }, (response) => {
          response.resume()
          resolve(response.statusCode!)
        })
        request.on('error', reject).end()
      })
      const json = await fetch(`${service.url}/mcp`, {
        headers: { ...session.identity, accept: 'application/json' },
      })
      expect([withoutAccept, json.status]).toEqual([406, 406])
    })

    test('a GET with an invalid Last-Event-ID is 400', async () => {
      for (const id of ['abc', '-1', '1;DROP', '99999999999999999'])
        await expect(session.stream(id)).rejects.toThrow('no stream: 400')
    })

    test('other methods are 405 with an Allow header', async () => {
      for (const method of ['PUT', 'PATCH']) {
        const response = await fetch(`${service.url}/mcp`, { method, headers: session.identity })
        expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST, DELETE'])
      }
    })

    test('a body over 1 MiB is 413, announced or not', async () => {
      const big = JSON.stringify({ ...ping, params: { text: 'x'.repeat(1024 * 1024) } })
      expect(await postMcp(service.url, big, session.identity)).toMatchObject({
        status: 413,
        body: refusal(-32000),
      })
      const chunked = await fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...session.identity },
        body: new Blob([big]).stream(),
        duplex: 'half',
      } as RequestInit)
      expect(chunked.status).toBe(413)
    })

    test('a batch is accepted in sessions of protocol versions with batches, and is 400 in others', async () => {
      const pings = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
      const { apiKey } = acme
      for (const [version, status] of [
        ['2024-11-05', 200],
        ['2025-03-26', 200],
        ['2025-06-18', 400],
        ['2025-11-25', 400],
        // Unknown, so the newest version is used.
        ['2024-01-01', 400],
      ] as const) {
        const { sessionId } = await openMcpSession(service.url, apiKey, version)
        const identity = { 'x-api-key': apiKey, 'mcp-session-id': sessionId }
        expect([version, (await postMcp(service.url, pings, identity)).status]).toEqual([version, status])
      }
      const inBatch = await postMcp(service.url, [initializeMessage], { 'x-api-key': apiKey })
      expect(inBatch.status).toBe(400)
      expect(await postMcp(service.url, pings, session.identity)).toMatchObject({
        status: 400,
        body: { error: { code: -32600, message: expect.stringContaining('2025-06-18') } },
      })
    })

    test('invalid JSON, UTF-8 or JSON-RPC is 400', async () => {
      expect(await postMcp(service.url, '{"jsonrpc":', session.identity)).toMatchObject({
        status: 400,
        body: { error: { code: -32700, data: { errors: [{ message: expect.any(String) }] } } },
      })
      expect((await postMcp(service.url, '[1,2]', session.identity)).status).toBe(400)
      const response = await fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...session.identity },
        body: Buffer.from('{"a":"\xff"}', 'latin1'),
      })
      expect(response.status).toBe(400)
    })

    test('another content type is 415', async () => {
      const answer = await postMcp(service.url, ping, { ...session.identity, 'content-type': 'text/plain' })
      expect(answer.status).toBe(415)
    })
  })

  describe('content that a person would not see as it was sent', () => {
    const callWith = (argumentsText: string) =>
      postMcp(
        service.url,
        `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"send_to_human","arguments":${argumentsText}}}`,
        session.identity,
      )
    const withData = (data: string) =>
      JSON.stringify(taskPayload({ context: { data: 'DATA' } })).replace('"DATA"', data)

    test.each([
      ['a duplicate key', withData('{"a":1,"a":2}'), 'context.data.a'],
      [
        'a number that a double cannot hold',
        withData('{"order":12345678901234567890}'),
        'context.data.order',
      ],
      ['a lone surrogate', withData('{"name":"\\ud800"}'), 'context.data.name'],
      ['NUL', withData('{"odd key":"\\u0000"}'), 'context.data["odd key"]'],
    ])('%s is rejected as a tool result that names its path', async (_, args, path) => {
      const { status, body } = await callWith(args)
      expect(status).toBe(200)
      expect(body).toMatchObject({ id: 9, result: { isError: true } })
      expect(JSON.parse(body.result.content[0].text)).toMatchObject({
        code: 'invalid_request',
        errors: [{ path, message: expect.any(String) }],
      })
    })

    test('arguments with too many keys or values are rejected with the messages of REST', async () => {
      const zeros = (count: number) => Array.from({ length: count }, (_, n) => `"k${n}":0`).join()
      const empty = (count: number) => Array(count).fill('{}').join()
      for (const [args, path, message] of [
        [
          withData(`{${zeros(10_001)}}`),
          'context.data',
          'The object has more than 10,000 keys; at most 10,000 are allowed.',
        ],
        [`{${zeros(60_000)}}`, '', 'The object has more than 10,000 keys; at most 10,000 are allowed.'],
        [
          withData(`{"a":[${empty(100_001)}]}`),
          expect.stringMatching(/^context\.data\.a\[\d+\]$/),
          'The JSON has more than 100,000 values; at most 100,000 are allowed.',
        ],
      ] as const) {
        const overRest = await acme.agent.send('POST', '/tasks', args)
        expect(overRest).toMatchObject({ status: 400, body: { errors: [{ path, message }] } })
        const { status, body } = await callWith(args)
        expect(status).toBe(200)
        expect(body).toMatchObject({ id: 9, result: { isError: true } })
        const result = JSON.parse(body.result.content[0].text)
        expect(result).toMatchObject({ code: 'invalid_request', errors: [{ path, message }] })
      }
      expect((await callWith(withData(`{${zeros(10_000)}}`))).body.result.isError).toBeUndefined()
    })

    test('outside the arguments it is 400, with the path', async () => {
      const keys = Array.from({ length: 10_001 }, (_, n) => `"k${n}":0`)
      const meta = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{${keys}}}}`
      expect(await postMcp(service.url, meta, session.identity)).toMatchObject({
        status: 400,
        body: { error: { code: -32700, data: { errors: [{ path: 'params._meta' }] } } },
      })
      const twice = '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}'
      expect(await postMcp(service.url, twice, session.identity)).toMatchObject({
        status: 400,
        body: { error: { code: -32700, data: { errors: [{ path: 'id' }] } } },
      })
    })

    test('arguments may be nested as deeply as over REST', async () => {
      const nested = (levels: number) => withData(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
      // The arguments, context and data are three levels themselves.
      expect((await acme.agent.send('POST', '/tasks', nested(62))).status).toBe(201)
      expect((await callWith(nested(62))).body.result.isError).toBeUndefined()
      expect((await acme.agent.send('POST', '/tasks', nested(63))).status).toBe(400)
      expect((await callWith(nested(63))).body.result).toMatchObject({ isError: true })
    })
  })

  test('a session expires after 24 hours without use', async () => {
    const opened = await openMcpSession(service.url, acme.apiKey)
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const later = async (time: string) => {
      await moveClock(service.databaseUrl, time)
      // A used session is read from the store every two seconds.
      vi.setSystemTime(Date.now() + 3_000)
      return (await opened.request('ping')).status
    }
    expect([await later('23 hours'), await later('23 hours'), await later('25 hours')]).toEqual([
      200, 200, 404,
    ])
  })

  describe('discovery by clients and directories', () => {
    test.each([
      ['GET', '/.well-known/oauth-protected-resource'],
      ['GET', '/.well-known/oauth-protected-resource/mcp'],
      ['GET', '/.well-known/oauth-authorization-server'],
      ['GET', '/.well-known/oauth-authorization-server/mcp'],
      ['GET', '/.well-known/openid-configuration'],
      ['POST', '/register'],
    ])('%s %s is a plain 404, so that no client starts an OAuth flow', async (method, path) => {
      const response = await fetch(`${service.url}${path}`, { method, redirect: 'manual' })
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
      expect(await response.text()).toBe('Not found\n')
    })

    test.each(['/mcp/server-card', '/.well-known/mcp/server-card.json'])(
      '%s describes the server without a key',
      async (path) => {
        const response = await fetch(`${service.url}${path}`)
        expect(response.headers.get('access-control-allow-origin')).toBe('*')
        expect(response.headers.get('content-type')).toBe('application/mcp-server-card+json')
        const card = (await response.json()) as { remotes: object[] }
        expect(card).toMatchObject({
          name: 'io.github.handrail/handrail',
          version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        })
        expect(card.remotes).toMatchObject([
          {
            type: 'streamable-http',
            url: `${service.url}/mcp`,
            headers: [{ name: 'X-Api-Key', isRequired: true, isSecret: true }],
          },
        ])
        const etag = response.headers.get('etag')!
        const again = await fetch(`${service.url}${path}`, { headers: { 'if-none-match': etag } })
        expect([again.status, await again.text()]).toEqual([304, ''])
      },
    )

    test('the AI Catalog leads to the server card', async () => {
      const response = await fetch(`${service.url}/.well-known/ai-catalog.json`)
      expect(response.headers.get('content-type')).toBe('application/ai-catalog+json')
      const { entries } = (await response.json()) as { entries: { type: string; url: string }[] }
      expect(entries).toHaveLength(1)
      const card = await fetch(entries[0]!.url)
      expect(card.headers.get('content-type')).toBe(entries[0]!.type)
    })

    test('server.json is accepted by the MCP registry', () => {
      const read = (name: string) =>
        JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'))
      const server = read('server.json')
      expect(server.$schema).toBe(
        'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      )
      expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
      expect(server.description.length).toBeLessThanOrEqual(100)
      expect(server.version).toBe(read('package.json').version)
      const [remote, ...more] = server.remotes
      expect(more).toEqual([])
      expect(remote).toMatchObject({
        type: 'streamable-http',
        url: expect.stringMatching(/^(https?:\/\/\S+|\{[a-zA-Z_]\w*\}\S*)$/),
        headers: [{ name: 'X-Api-Key', description: expect.any(String), isRequired: true, isSecret: true }],
      })
      // Each placeholder of the address is a variable that is explained.
      const placeholders = [...remote.url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(Object.keys(remote.variables ?? {})).toEqual(placeholders)
    })
  })
})
