import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { watchHealth } from '../support/health-watch.ts'
import type { Caller, TestResponse } from '../support/http.ts'
import { openMcpSession, postMcp, versionWithBatches } from '../support/mcp-session.ts'
import { agentAt, type Node, personAt, startNodes, stopNodes } from '../support/nodes.ts'
import { sendRaw } from '../support/raw-http.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

describe('hostile requests get a clear 4xx that names the path, while /health keeps responding', () => {
  let service: TestService
  let nodes: Node[]
  let url: string
  let acme: TestWorkspace
  let agent: Caller
  let owner: Caller
  let health: ReturnType<typeof watchHealth>

  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    // In a process of its own: what is measured is the service, not the test that torments it.
    nodes = await startNodes(service.databaseUrl, 1)
    url = nodes[0]!.url
    agent = agentAt(url, acme)
    owner = personAt(url, acme, acme.owner)
    health = watchHealth(url)
  })
  afterAll(async () => {
    await stopNodes(nodes ?? [])
    await service.stop()
  })

  const withData = (data: string) =>
    `{"task":{"type":"t","name":"N","description":"D"},"context":{"data":${data}},"actions":[{"id":"ok","title":"OK"}]}`
  const withSchema = (schema: string) =>
    `{"task":{"type":"t","name":"N","description":"D"},"actions":[{"id":"ok","title":"OK","schema":${schema}}]}`
  const withProperty = (property: unknown) =>
    withSchema(JSON.stringify({ type: 'object', properties: { x: property } }))

  function refused(answer: TestResponse, path: string, status = 400): void {
    expect(answer).toMatchObject({ status, body: { status, requestId: expect.stringMatching(/^req_/) } })
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path)
    for (const { message } of answer.body.errors) expect(message).toMatch(/^[A-Z].*[.…]$/s)
  }

  describe('in the text of the body', () => {
    const deep = 100_000
    test.each([
      [
        'lists 100,000 deep',
        withData(`{"a":${'['.repeat(deep)}${']'.repeat(deep)}}`),
        /^context\.data\.a(\[0\])+$/,
      ],
      [
        'objects 100,000 deep',
        withData(`${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`),
        /^context\.data(\.a)+$/,
      ],
      ['100,000 brackets that are never closed', withData('['.repeat(deep)), /^context\.data(\[0\])+$/],
      [
        '100,000 names in one object',
        withData(`{${Array.from({ length: 100_000 }, (_, n) => `"${n}":0`)}}`),
        'context.data',
      ],
      [
        '300,000 empty objects',
        withData(`{"a":[${Array(300_000).fill('{}')}]}`),
        /^context\.data\.a\[\d+\]$/,
      ],
      ['NUL in a value', withData('{"a":"x\\u0000y"}'), 'context.data.a'],
      ['NUL in a name', withData('{"a\\u0000b":1}'), 'context.data["a\\u0000b"]'],
      ['a lone surrogate', withData('{"a":"\\ud800"}'), 'context.data.a'],
      ['a low surrogate first', withData('{"a":"\\udc00\\ud800"}'), 'context.data.a'],
      ['a key twice', withData('{"a":1,"a":2}'), 'context.data.a'],
      ['a key twice, in another spelling', withData('{"a":1,"\\u0061":2}'), 'context.data.a'],
      ['a number that a double cannot hold', withData('{"a":12345678901234567890}'), 'context.data.a'],
      ['a number beyond all doubles', withData('{"a":[1e999]}'), 'context.data.a[0]'],
      [
        'a fraction that would change',
        withData('{"a":0.1000000000000000055511151231257827}'),
        'context.data.a',
      ],
      ['a line break in a string', withData('{"a":"x\ny"}'), 'context.data.a'],
      ['no JSON', 'task=refund', ''],
      ['half of it', withData('{"a":'), 'context.data.a'],
      ['two values', `${JSON.stringify(taskPayload())}{}`, ''],
      ['a comma too many', withData('{"a":[1,]}'), 'context.data.a[1]'],
      ['NaN', withData('{"a":NaN}'), 'context.data.a'],
      ['a list', '[]', ''],
      ['null', 'null', 'task'],
      ['a number', '7', ''],
      ['nothing', '', 'task'],
    ])('%s', async (_, text, path) => {
      const answer = await agent.send('POST', '/tasks', text)
      if (typeof path === 'string') return refused(answer, path)
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
      expect(answer.body.errors[0].path).toMatch(path)
      expect(answer.body.errors[0].path.length).toBeLessThan(1_000)
    })

    test('what a double holds passes: 1.0, 0.1, 9007199254740993e0 does not', async () => {
      expect((await agent.send('POST', '/tasks', withData('{"a":1.0,"b":0.1,"c":-0,"d":1e3}'))).status).toBe(
        201,
      )
      refused(await agent.send('POST', '/tasks', withData('{"a":9007199254740993e0}')), 'context.data.a')
    })

    test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/xml'])(
      'a body that says it is %s',
      async (type) => {
        const text = JSON.stringify(taskPayload())
        const answer = await agent.send('POST', '/tasks', text, { 'content-type': type })
        refused(answer, '')
        expect(answer.body.detail).toContain('application/json')
      },
    )

    test('bytes that are not UTF-8', async () => {
      const [before, after] = withData('{"a":"#"}').split('#')
      for (const bytes of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
        const response = await fetch(`${url}/api/v1/tasks`, {
          method: 'POST',
          headers: { 'x-api-key': acme.apiKey, 'content-type': 'application/json' },
          body: Buffer.concat([Buffer.from(before!), Buffer.from(bytes), Buffer.from(after!)]),
        })
        const body = (await response.json()) as { detail: string }
        expect({ status: response.status, detail: body.detail }).toEqual({
          status: 400,
          detail: 'The body is not valid UTF-8.',
        })
      }
    })

    test('1 MiB and one byte, with its length told and without', async () => {
      const text = withData(`{"a":"${'x'.repeat(1024 * 1024)}"}`).slice(0, 1024 * 1024 + 1)
      expect(await agent.send('POST', '/tasks', text)).toMatchObject({
        status: 413,
        body: { code: 'payload_too_large', detail: expect.stringContaining('1048576') },
      })
      const chunked = await fetch(`${url}/api/v1/tasks`, {
        method: 'POST',
        headers: { 'x-api-key': acme.apiKey, 'content-type': 'application/json' },
        body: new Blob([text]).stream(),
        duplex: 'half',
      } as RequestInit)
      expect(chunked.status).toBe(413)
      expect(await chunked.json()).toMatchObject({ code: 'payload_too_large' })
      expect((await agent.get('/me')).status).toBe(200)
    })
  })

  describe('in forms', () => {
    const ref = (name: string) => ({ $ref: `#/definitions/${name}` })
    const at = 'actions[0].schema'
    test.each([
      [
        'a property __proto__',
        withSchema('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
        `${at}.properties.__proto__`,
      ],
      [
        'a property constructor',
        withSchema('{"type":"object","properties":{"constructor":{"type":"string"}}}'),
        `${at}.properties.constructor`,
      ],
      [
        'a property prototype',
        withSchema('{"type":"object","properties":{"prototype":{"type":"string"}}}'),
        `${at}.properties.prototype`,
      ],
      [
        'a required name that cannot be written as text',
        withSchema('{"type":"object","properties":{},"required":[{"toString":0}]}'),
        `${at}.required`,
      ],
      [
        'a choice that cannot be written as text',
        withProperty({ enum: [{ toString: 0 }] }),
        `${at}.properties.x.enum[0].toString`,
      ],
      [
        'an enum of 20,000 values',
        withProperty({ enum: Array.from({ length: 20_000 }, (_, n) => `v${n}`) }),
        `${at}.properties.x.enum`,
      ],
      [
        'uniqueItems over objects',
        withProperty({ type: 'array', uniqueItems: true, items: { type: 'object' } }),
        `${at}.properties.x.uniqueItems`,
      ],
      ['a schema that is itself', withSchema('{"type":"object","$ref":"#"}'), `${at}.$ref`],
      [
        'two that are each other',
        withSchema(
          JSON.stringify({
            type: 'object',
            properties: { x: ref('a') },
            definitions: { a: ref('b'), b: ref('a') },
          }),
        ),
        `${at}.definitions.b.$ref`,
      ],
      [
        'a schema from elsewhere',
        withProperty({ $ref: 'http://169.254.169.254/latest' }),
        `${at}.properties.x.$ref`,
      ],
      ['a schema that is not there', withProperty(ref('nowhere')), `${at}.properties.x.$ref`],
      [
        'a keyword that is not enforced',
        withProperty({ contains: { type: 'string' } }),
        `${at}.properties.x.contains`,
      ],
      ['a schema 100 deep', withProperty(nested(100)), undefined],
      [
        'a pattern of 257 characters',
        withProperty({ type: 'string', pattern: 'a'.repeat(257) }),
        `${at}.properties.x.pattern`,
      ],
      [
        'a pattern that looks ahead',
        withProperty({ type: 'string', pattern: '^(?=.*\\d).{8}' }),
        `${at}.properties.x.pattern`,
      ],
      [
        'a pattern that repeats without measure',
        withProperty({ type: 'string', pattern: '(a{1000}){1000}' }),
        `${at}.properties.x.pattern`,
      ],
    ])('%s', async (_, text, path) => {
      const answer = await agent.send('POST', '/tasks', text)
      if (path !== undefined) return refused(answer, path)
      expect(answer.status).toBe(400)
      expect(answer.body.errors[0].path).toMatch(/^actions\[0\]\.schema\./)
    })

    test('a recursive form is valid and can be answered', async () => {
      const node = {
        type: 'object',
        properties: { label: { type: 'string' }, child: { $ref: '#/$defs/node' } },
      }
      const schema = { type: 'object', properties: { root: { $ref: '#/$defs/node' } }, $defs: { node } }
      const { body } = await agent.send('POST', '/tasks', withSchema(JSON.stringify(schema)))
      const answer = { actionId: 'ok', data: { root: { child: { child: { label: 'deep' } } } } }
      expect((await owner.post(`/tasks/${body.taskId}/handle`, answer)).status).toBe(200)
    })
  })

  describe('in answers', () => {
    const answer = async (property: unknown, value: unknown) => {
      const { body } = await agent.send('POST', '/tasks', withProperty(property))
      return await owner.post(`/tasks/${body.taskId}/handle`, { actionId: 'ok', data: { x: value } })
    }

    test('a pattern such as ^(a+)+$ is harmless against any text', async () => {
      for (const pattern of ['^(a+)+$', '^(a|aa)+$', '^(a|a?)+$', '(.*)*x']) {
        refused(await answer({ type: 'string', pattern }, `${'a'.repeat(50_000)}!`), 'data.x')
      }
      expect((await answer({ type: 'string', pattern: '^(a+)+$' }, 'a'.repeat(50_000))).status).toBe(200)
    })

    test("a form with Pydantic's decimals, UUIDs and named keys is taken, and its answers are checked", async () => {
      const decimal = { type: 'string', pattern: '^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d{0,2}0*$' }
      const amount = { anyOf: [{ type: 'number' }, decimal] }
      expect((await answer(amount, '12.50')).status).toBe(200)
      expect((await answer(amount, 12.5)).status).toBe(200)
      refused(await answer(amount, '12.505'), 'data.x')
      const id = { type: 'string', format: 'uuid' }
      expect((await answer(id, '0192c5d0-7e57-7000-8000-000000000000')).status).toBe(200)
      refused(await answer(id, '0192c5d0'), 'data.x')
      const rates = { type: 'object', propertyNames: { enum: ['EUR', 'USD'] }, additionalProperties: amount }
      expect((await answer(rates, { EUR: '1.08' })).status).toBe(200)
      refused(await answer(rates, { GBP: '0.86' }), 'data.x.GBP')
    })

    test('250 KiB of items that must differ', async () => {
      const unique = { type: 'array', uniqueItems: true, items: { type: 'integer' } }
      refused(
        await answer(
          unique,
          Array.from({ length: 36_000 }, (_, n) => 100_000 + n),
        ),
        'data.x',
      )
      const long = { type: 'array', uniqueItems: true, items: { type: 'string' } }
      const items = Array.from({ length: 1_000 }, (_, n) => `${'x'.repeat(250)}${n % 999}`)
      refused(await answer(long, items), 'data.x')
    })

    test('more than 256 KiB', async () => {
      expect(await answer({ type: 'string' }, 'x'.repeat(256 * 1024))).toMatchObject({
        status: 413,
        body: { code: 'payload_too_large' },
      })
    })

    test('20,000 wrong items beside a value of 60 KB give at most fifty short errors, and less than 64 KiB', async () => {
      const property = { type: 'array', items: { type: 'array', items: { const: 'k'.repeat(60_000) } } }
      const lists = Array.from({ length: 20 }, () => Array(1_000).fill(0))
      const atDeadline = JSON.stringify({
        ...taskPayload({ expiresInSeconds: 60, onExpire: { actionId: 'ok', data: { x: lists } } }),
        actions: [{ id: 'ok', title: 'OK', schema: { type: 'object', properties: { x: property } } }],
      })
      const answers = [await answer(property, lists), await agent.send('POST', '/tasks', atDeadline)]
      for (const { status, body } of answers) {
        expect(status).toBe(400)
        expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(64 * 1024)
        expect(body.errors).toHaveLength(50)
        expect(body.errors[0].message).toBe(`Must be "${'k'.repeat(80)}…".`)
        expect(body.errors[49].message).toContain('There are more than 49 problems')
      }
    })

    test('a field named like what objects inherit is undeclared like any other', async () => {
      const { body } = await agent.post('/tasks', taskPayload())
      for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
        const text = `{"actionId":"decline","data":{"reason":"r","${name}":{"polluted":true}}}`
        refused(await owner.send('POST', `/tasks/${body.taskId}/handle`, text), `data.${name}`)
      }
    })
  })

  describe('in addresses and headers', () => {
    test.each(
      [
        '/tasks/%00',
        '/tasks/tsk_%00123456789abcdefghjkmnpqr',
        '/tasks/%ff%fe',
        '/tasks/%E0%A4%A',
        '/tasks/%',
        '/tasks/..%2f..%2fetc%2fpasswd',
        `/tasks/${'x'.repeat(4_000)}`,
        '/tasks?cursor=%00',
        '/tasks?cursor=%ff',
        '/tasks?cursor=W10',
        `/tasks?cursor=${Buffer.from('["2026-02-31T25:61:61.000Z","x"]').toString('base64url')}`,
        `/tasks?cursor=${Buffer.from('["9999-99-99T99:99:99.999Z","x"]').toString('base64url')}`,
        `/tasks?cursor=${Buffer.from('["2026-01-01T00:00:00.000Z","\\u0000"]').toString('base64url')}`,
        `/tasks?cursor=${Buffer.from('["2026-01-01T00:00:00.000Z",{}]').toString('base64url')}`,
        `/tasks?cursor=${'x'.repeat(401)}`,
        '/tasks?limit=ten',
        '/tasks?limit=1&limit=2',
        '/tasks?status=open&status=handled',
        '/tasks?createdAfter=yesterday',
        '/tasks?createdAfter=2026-02-31T00:00:00Z',
        '/tasks?createdAfter=%00',
        '/tasks?createdAfter=0000-01-01T00:00:00Z',
        '/tasks?createdBefore=9999-12-31T23:59:59-01:00',
        '/tasks?app=%00',
        '/tasks?__proto__=1',
        '/tasks?__proto__[x]=1',
        '/tasks?wanted=all',
        '/tasks/search',
        '/tasks/search?query=%00',
        '/tasks/search?query=%20',
        `/tasks/search?query=${'x'.repeat(201)}`,
        '/inbox?cursor=W10',
        '/inbox/events?after=x',
        '/inbox/events?after=99999999999.1.1',
        '/threads/%00/timeline',
        '/threads/x/timeline?cursor=x',
        '/audit?cursor=x',
      ].map((path) => [path.slice(0, 90), path]),
    )('GET %s', async (_, path) => {
      const answer = await owner.get(path!)
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ code: 'invalid_request', errors: expect.any(Array) })
      expect(answer.body.errors[0].path).not.toBe('')
    })

    test('moments of any zone and odd cursors of an honest shape simply work', async () => {
      for (const query of [
        'createdAfter=2026-01-01T00:00:00%2B23:00',
        'createdAfter=0001-01-01T00:00:00Z',
        'createdBefore=9999-12-31T23:59:59.999999Z',
        `cursor=${Buffer.from('["0001-01-01T00:00:00.000Z","\u{1f600}"]').toString('base64url')}`,
        'limit=0',
        'limit=-5',
        'limit=999999999',
      ]) {
        expect((await owner.get(`/tasks?${query}`)).status, query).toBe(200)
      }
    })

    test('bytes that no address has', async () => {
      const odd = ['/\xff', '/tasks/\xe4', '/tasks?cursor=\xfc', '/tasks/a b', '//', '/\\..\\', '/%2e%2e/x']
      for (const path of odd) {
        const bytes = Buffer.from(
          `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
          'latin1',
        )
        const { status } = await sendRaw(url, bytes)
        expect(status, path).toBeGreaterThanOrEqual(400)
        expect(status, path).toBeLessThan(500)
      }
    })

    test('headers of 64 KiB, and a thousand of them', async () => {
      const large = `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(65_536)}\r\n\r\n`
      expect((await sendRaw(url, large)).status).toBe(431)
      const many = Array.from({ length: 1_000 }, (_, n) => `X-Number-${n}: ${'x'.repeat(20)}\r\n`).join('')
      expect((await sendRaw(url, `GET /api/v1/me HTTP/1.1\r\nHost: x\r\n${many}\r\n`)).status).toBe(431)
    })

    test('no host, and two bodies in one', async () => {
      expect((await sendRaw(url, 'GET /api/v1/me HTTP/1.1\r\n\r\n')).status).toBe(400)
      const smuggled =
        'POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /health'
      expect((await sendRaw(url, smuggled)).status).toBe(400)
    })
  })

  test('a batch of more than 20 messages is refused before any of them is looked at', async () => {
    const { identity } = await openMcpSession(url, acme.apiKey, versionWithBatches)
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
    const pings = (count: number) => Array.from({ length: count }, (_, n) => ping(n))
    expect((await postMcp(url, pings(20), identity)).status).toBe(200)
    expect(await postMcp(url, pings(21), identity)).toMatchObject({
      status: 400,
      body: { error: { code: -32600, message: 'A batch must have at most 20 messages; this one has 21.' } },
    })
    expect((await postMcp(url, Array(300_000).fill({}), identity)).status).toBe(400)
  })

  test('an empty or null optional field counts as left out', async () => {
    const nothing = [
      'type',
      'app',
      'version',
      'priority',
      'delivery',
      'callbackUrl',
      'threadId',
      'idempotencyKey',
    ]
    const more = ['expiresInSeconds', 'onExpire', 'metadata', 'assignTo', 'context']
    for (const empty of [null, '']) {
      const payload = taskPayload(Object.fromEntries([...nothing, ...more].map((name) => [name, empty])))
      payload.actions = [
        { id: 'ok', title: 'OK', description: empty, schema: empty, ui: empty, outcome: empty } as never,
      ]
      const created = await agent.post('/tasks', payload)
      expect(created).toMatchObject({ status: 201, body: { delivery: 'poll' } })
      const { taskId } = created.body
      expect((await agent.get(`/tasks/${taskId}?include=&waitSeconds=`)).body).toMatchObject({
        app: 'default',
        priority: 'normal',
        threadId: taskId,
      })
      expect((await agent.get('/tasks?status=&cursor=&limit=&createdAfter=')).status).toBe(200)
      const update = { message: 'm', level: empty, progress: empty }
      expect((await agent.post(`/tasks/${taskId}/updates`, update)).status).toBe(201)
      expect((await agent.post(`/tasks/${taskId}/cancel`, { reason: empty })).status).toBe(200)
    }
  })

  test('what is wrong in thousands of places gets less than 64 KiB back, over REST and as a tool result', async () => {
    const session = await openMcpSession(url, acme.apiKey)
    const odd = '\u00e9"\\'.repeat(30)
    const hint = (inner: object) => ({ [odd]: inner })
    const nest = (levels: number): object =>
      levels === 0
        ? Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${n}${odd}`, {}]))
        : hint(nest(levels - 1))
    const data = { [odd]: { [odd]: { [odd]: {} } } }
    const warned = taskPayload({ context: { data, ui: nest(3) } })
    const forms = Array.from({ length: 50 }, (_, n) => ({
      id: `a${n}`,
      title: 'A',
      schema: {
        type: 'object',
        properties: {},
        required: Array.from({ length: 20 }, (_, m) => `${m}${odd}`),
      },
    }))
    const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`${n}${odd}`, 0]))
    for (const payload of [warned, taskPayload({ actions: forms }), taskPayload(unknown)]) {
      const { status, body } = await agent.post('/tasks', payload)
      const found = status === 201 ? body.warnings : body.errors
      expect(found.length).toBeLessThanOrEqual(50)
      expect(found.at(-1).message).toContain('There are more than')
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(64 * 1024)
      const result = await session.call('send_to_human', payload)
      expect(JSON.stringify(result)).toContain('There are more than')
      expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(64 * 1024)
    }
    const query = Array.from({ length: 2_000 }, (_, n) => `a${n}`).join('&')
    const refusedQuery = await owner.get(`/me?${query}`)
    expect(refusedQuery.body.errors).toHaveLength(50)
  })

  test('an unknown field is refused by its name, wherever it stands', async () => {
    const payload = taskPayload({ surprise: 1, context: { data: {}, extra: 1 } }, { hint: 1 })
    Object.assign(payload.actions[0]!, { colour: 'red' })
    const answer = await agent.post('/tasks', payload)
    for (const path of ['surprise', 'context.extra', 'task.hint', 'actions[0].colour']) refused(answer, path)
    const { taskId } = (await agent.post('/tasks', taskPayload())).body
    refused(await agent.post(`/tasks/${taskId}/updates`, { message: 'm', mood: 'good' }), 'mood')
    refused(await agent.post(`/tasks/${taskId}/cancel`, { why: 'x' }), 'why')
    refused(await owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve', note: 'x' }), 'note')
    refused(await owner.post(`/tasks/${taskId}/mark-done`, { feedback: 'x' }), 'feedback')
    refused(await owner.post(`/tasks/${taskId}/claim`, { minutes: 5 }), 'minutes')
  })

  test('/health kept responding quickly meanwhile', async () => {
    const { requests, slowest, failedStatuses } = await health.stop()
    expect(requests).toBeGreaterThan(20)
    expect(failedStatuses).toEqual([])
    // Ten times what is promised.
    expect(slowest).toBeLessThan(2_000)
  })
})

function nested(depth: number): unknown {
  let schema: unknown = { type: 'string' }
  for (let level = 0; level < depth; level++) schema = { type: 'array', items: schema }
  return schema
}
