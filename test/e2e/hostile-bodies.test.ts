import { describe, expect, test } from 'vitest'
import { expectRejected, setUpHostileTests, withData } from '../support/hostile-tests.ts'
import { openMcpSession, postMcp, versionWithBatches } from '../support/mcp-session.ts'
import { taskPayload } from '../support/service.ts'

describe('hostile request bodies get a clear 4xx that names the path', () => {
  const target = setUpHostileTests()

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
      ['a duplicate key', withData('{"a":1,"a":2}'), 'context.data.a'],
      ['a duplicate key with another escape', withData('{"a":1,"\\u0061":2}'), 'context.data.a'],
      ['a number that a double cannot represent', withData('{"a":12345678901234567890}'), 'context.data.a'],
      ['a number larger than any double', withData('{"a":[1e999]}'), 'context.data.a[0]'],
      [
        'a fraction that would change',
        withData('{"a":0.1000000000000000055511151231257827}'),
        'context.data.a',
      ],
      ['a line break in a string', withData('{"a":"x\ny"}'), 'context.data.a'],
      ['something that is not JSON', 'task=refund', ''],
      ['a truncated body', withData('{"a":'), 'context.data.a'],
      ['two values', `${JSON.stringify(taskPayload())}{}`, ''],
      ['a trailing comma', withData('{"a":[1,]}'), 'context.data.a[1]'],
      ['NaN', withData('{"a":NaN}'), 'context.data.a'],
      ['a list', '[]', ''],
      ['null', 'null', 'task'],
      ['a number', '7', ''],
      ['an empty body', '', 'task'],
    ])('%s', async (_, text, path) => {
      const response = await target.agent.send('POST', '/tasks', text)
      if (typeof path === 'string') return expectRejected(response, path)
      expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
      expect(response.body.errors[0].path).toMatch(path)
      expect(response.body.errors[0].path.length).toBeLessThan(1_000)
    })

    test('numbers that a double represents exactly are accepted, others are rejected', async () => {
      expect(
        (await target.agent.send('POST', '/tasks', withData('{"a":1.0,"b":0.1,"c":-0,"d":1e3}'))).status,
      ).toBe(201)
      expectRejected(
        await target.agent.send('POST', '/tasks', withData('{"a":9007199254740993e0}')),
        'context.data.a',
      )
    })

    test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/xml'])(
      'a body with the content type %s',
      async (type) => {
        const text = JSON.stringify(taskPayload())
        const response = await target.agent.send('POST', '/tasks', text, { 'content-type': type })
        expectRejected(response, '')
        expect(response.body.detail).toContain('application/json')
      },
    )

    test('bytes that are not UTF-8', async () => {
      const [before, after] = withData('{"a":"#"}').split('#')
      for (const bytes of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
        const response = await fetch(`${target.url}/api/v1/tasks`, {
          method: 'POST',
          headers: { 'x-api-key': target.acme.apiKey, 'content-type': 'application/json' },
          body: Buffer.concat([Buffer.from(before!), Buffer.from(bytes), Buffer.from(after!)]),
        })
        const body = (await response.json()) as { detail: string }
        expect({ status: response.status, detail: body.detail }).toEqual({
          status: 400,
          detail: 'The body is not valid UTF-8.',
        })
      }
    })

    test('1 MiB and one byte, with and without Content-Length', async () => {
      const text = withData(`{"a":"${'x'.repeat(1024 * 1024)}"}`).slice(0, 1024 * 1024 + 1)
      expect(await target.agent.send('POST', '/tasks', text)).toMatchObject({
        status: 413,
        body: { code: 'payload_too_large', detail: expect.stringContaining('1048576') },
      })
      const chunked = await fetch(`${target.url}/api/v1/tasks`, {
        method: 'POST',
        headers: { 'x-api-key': target.acme.apiKey, 'content-type': 'application/json' },
        body: new Blob([text]).stream(),
        duplex: 'half',
      } as RequestInit)
      expect(chunked.status).toBe(413)
      expect(await chunked.json()).toMatchObject({ code: 'payload_too_large' })
      expect((await target.agent.get('/me')).status).toBe(200)
    })
  })

  test('a batch of more than 20 messages is rejected before any of them is processed', async () => {
    const { identity } = await openMcpSession(target.url, target.acme.apiKey, versionWithBatches)
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
    const pings = (count: number) => Array.from({ length: count }, (_, n) => ping(n))
    expect((await postMcp(target.url, pings(20), identity)).status).toBe(200)
    expect(await postMcp(target.url, pings(21), identity)).toMatchObject({
      status: 400,
      body: { error: { code: -32600, message: 'A batch must have at most 20 messages; this one has 21.' } },
    })
    expect((await postMcp(target.url, Array(300_000).fill({}), identity)).status).toBe(400)
  })

  test('an empty or null optional field counts as absent', async () => {
    const strings = [
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
      const payload = taskPayload(Object.fromEntries([...strings, ...more].map((name) => [name, empty])))
      payload.actions = [
        { id: 'ok', title: 'OK', description: empty, schema: empty, ui: empty, outcome: empty } as never,
      ]
      const created = await target.agent.post('/tasks', payload)
      expect(created).toMatchObject({ status: 201, body: { delivery: 'poll' } })
      const { taskId } = created.body
      expect((await target.agent.get(`/tasks/${taskId}?include=&waitSeconds=`)).body).toMatchObject({
        app: 'default',
        priority: 'normal',
        threadId: taskId,
      })
      expect((await target.agent.get('/tasks?status=&cursor=&limit=&createdAfter=')).status).toBe(200)
      const update = { message: 'm', level: empty, progress: empty }
      expect((await target.agent.post(`/tasks/${taskId}/updates`, update)).status).toBe(201)
      expect((await target.agent.post(`/tasks/${taskId}/cancel`, { reason: empty })).status).toBe(200)
    }
  })

  test('the response to thousands of mistakes is smaller than 64 KiB, over REST and as a tool result', async () => {
    const session = await openMcpSession(target.url, target.acme.apiKey)
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
      const { status, body } = await target.agent.post('/tasks', payload)
      const found = status === 201 ? body.warnings : body.errors
      expect(found.length).toBeLessThanOrEqual(50)
      expect(found.at(-1).message).toContain('There are more than')
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(64 * 1024)
      const result = await session.call('send_to_human', payload)
      expect(JSON.stringify(result)).toContain('There are more than')
      expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(64 * 1024)
    }
    const query = Array.from({ length: 2_000 }, (_, n) => `a${n}`).join('&')
    const rejectedQuery = await target.owner.get(`/me?${query}`)
    expect(rejectedQuery.body.errors).toHaveLength(50)
  })

  test('an unknown field is rejected by its name at every level', async () => {
    const payload = taskPayload({ surprise: 1, context: { data: {}, extra: 1 } }, { hint: 1 })
    Object.assign(payload.actions[0]!, { colour: 'red' })
    const response = await target.agent.post('/tasks', payload)
    for (const path of ['surprise', 'context.extra', 'task.hint', 'actions[0].colour'])
      expectRejected(response, path)
    const { taskId } = (await target.agent.post('/tasks', taskPayload())).body
    expectRejected(
      await target.agent.post(`/tasks/${taskId}/updates`, { message: 'm', mood: 'good' }),
      'mood',
    )
    expectRejected(await target.agent.post(`/tasks/${taskId}/cancel`, { why: 'x' }), 'why')
    expectRejected(
      await target.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve', note: 'x' }),
      'note',
    )
    expectRejected(await target.owner.post(`/tasks/${taskId}/mark-done`, { feedback: 'x' }), 'feedback')
    expectRejected(await target.owner.post(`/tasks/${taskId}/claim`, { minutes: 5 }), 'minutes')
  })

  target.testHealth()
})
