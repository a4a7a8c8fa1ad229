import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestResponse } from '../support/http.ts'
import { asOwner } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

type Case = [name: string, max: number, payload: (size: number) => object, path: string]

describe('limits accept the maximum and reject one more, naming the path', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
  })
  afterAll(() => service.stop())

  const x = (size: number) => 'x'.repeat(size)
  const list = <T>(size: number, make: (n: number) => T) => Array.from({ length: size }, (_, n) => make(n))
  const withForm = (schema: object) => taskPayload({ actions: [{ id: 'ok', title: 'OK', schema }] })
  const withProperty = (property: object) => withForm({ type: 'object', properties: { x: property } })
  const at = 'actions[0].schema.properties.x'

  async function expectLimit(max: number, payload: Case[2], path: string): Promise<{ message: string }> {
    const accepted = await acme.agent.post('/tasks', payload(max))
    expect(accepted.body).toMatchObject({ taskId: expect.anything() })
    const rejected = await acme.agent.post('/tasks', payload(max + 1))
    expect(rejected).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ path }] } })
    return rejected.body.errors[0]
  }

  function nestedLists(levels: number): object {
    return levels === 0 ? { type: 'string' } : { type: 'array', items: nestedLists(levels - 1) }
  }
  function nestedData(levels: number): unknown {
    return levels === 0 ? 1 : [nestedData(levels - 1)]
  }

  describe('of a task', () => {
    test.each<Case>([
      ['type', 64, (n) => taskPayload({}, { type: x(n) }), 'task.type'],
      ['app', 128, (n) => taskPayload({ app: x(n) }), 'app'],
      ['version', 128, (n) => taskPayload({ version: x(n) }), 'version'],
      ['threadId', 128, (n) => taskPayload({ threadId: x(n) }), 'threadId'],
      ['name', 200, (n) => taskPayload({}, { name: x(n) }), 'task.name'],
      ['description', 10_000, (n) => taskPayload({}, { description: x(n) }), 'task.description'],
      [
        'actions',
        50,
        (n) => taskPayload({ actions: list(n, (i) => ({ id: `a${i}`, title: 'A' })) }),
        'actions',
      ],
      ['an action’s id', 64, (n) => taskPayload({ actions: [{ id: x(n), title: 'A' }] }), 'actions[0].id'],
      [
        'an action’s title',
        200,
        (n) => taskPayload({ actions: [{ id: 'a', title: x(n) }] }),
        'actions[0].title',
      ],
      [
        'an action’s description',
        2_000,
        (n) => taskPayload({ actions: [{ id: 'a', title: 'A', description: x(n) }] }),
        'actions[0].description',
      ],
      ['expiresInSeconds', 2_592_000, (n) => taskPayload({ expiresInSeconds: n }), 'expiresInSeconds'],
      [
        'callbackUrl',
        2_048,
        (n) => taskPayload({ callbackUrl: `https://example.com/${x(n - 'https://example.com/'.length)}` }),
        'callbackUrl',
      ],
      // {"note":"…"} adds 11 bytes to the text.
      ['metadata', 8 * 1024, (n) => taskPayload({ metadata: { note: x(n - 11) } }), 'metadata'],
      // Body, context and data are three levels.
      [
        'depth',
        64,
        (n) => taskPayload({ context: { data: { a: nestedData(n - 3) } } }),
        `context.data.a${'[0]'.repeat(61)}`,
      ],
      [
        'keys of an object',
        10_000,
        (n) => taskPayload({ context: { data: { a: Object.fromEntries(list(n, (i) => [`k${i}`, 0])) } } }),
        'context.data.a',
      ],
      // Everything but the zeros is 23 values.
      [
        'values of the body',
        100_000,
        (n) => taskPayload({ context: { data: { a: list(n - 23, () => 0) } } }),
        'context.data.a[99977]',
      ],
    ])('%s: %i', async (_, max, payload, path) => {
      await expectLimit(max, payload, path)
    })

    test('a payload of 512 KiB', async () => {
      const size = 512 * 1024
      const payload = (length: number) => taskPayload({ context: { data: { text: x(length) } } })
      const { task, actions } = taskPayload()
      const rest = Buffer.byteLength(
        task.description + task.name + JSON.stringify(actions) + JSON.stringify({ data: { text: '' } }),
      )
      expect((await acme.agent.post('/tasks', payload(size - rest))).status).toBe(201)
      expect(await acme.agent.post('/tasks', payload(size - rest + 1))).toMatchObject({
        status: 413,
        body: { code: 'payload_too_large', detail: expect.stringContaining(String(size)) },
      })
    })

    test.each([
      ['no action', { actions: [] }, 'actions'],
      [
        'two actions with the same id',
        {
          actions: [
            { id: 'a', title: 'A' },
            { id: 'a', title: 'B' },
          ],
        },
        'actions[1].id',
      ],
      ['a reserved id', { actions: [{ id: 'service:mark-done', title: 'A' }] }, 'actions[0].id'],
      [
        'an id that consists of the reserved prefix',
        { actions: [{ id: 'service:', title: 'A' }] },
        'actions[0].id',
      ],
      ['an id with a line break', { actions: [{ id: 'a\nb', title: 'A' }] }, 'actions[0].id'],
      ['an empty id', { actions: [{ id: '', title: 'A' }] }, 'actions[0].id'],
      ['an action without a title', { actions: [{ id: 'a' }] }, 'actions[0].title'],
      [
        'a type that is not a slug',
        { task: { type: 'Refund approval', name: 'N', description: 'D' } },
        'task.type',
      ],
      ['a type that begins with a dash', { task: { type: '-x', name: 'N', description: 'D' } }, 'task.type'],
      ['no type', { task: { name: 'N', description: 'D' } }, 'task.type'],
      ['two types', { type: 'another' }, 'type'],
      ['a version of two lines', { version: '1\n2' }, 'version'],
      ['a blank app', { app: '   ' }, 'app'],
      ['an invisible app', { app: '\u200b\u2060\u3164' }, 'app'],
      ['an unknown priority', { priority: 'asap' }, 'priority'],
      ['an unknown delivery', { delivery: 'pigeon' }, 'delivery'],
      ['a callback without a URL', { delivery: 'callback' }, 'callbackUrl'],
      ['metadata that is not an object', { metadata: [1] }, 'metadata'],
      ['an unknown assignee', { assignTo: 'nobody@example.com' }, 'assignTo'],
      ['an assignee without an address', { assignTo: 'Olga' }, 'assignTo'],
      ['context without data', { context: { ui: {} } }, 'context.data'],
      ['data that is not an object', { context: { data: 'text' } }, 'context.data'],
    ])('%s', async (_, more, path) => {
      const { status, body } = await acme.agent.post('/tasks', taskPayload(more))
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' })
      expect([...new Set(body.errors.map((error: { path: string }) => error.path))]).toEqual([path])
    })

    test('all errors are returned at once', async () => {
      const payload = taskPayload(
        {
          version: x(129),
          priority: 'asap',
          actions: [
            { id: 'service:x', title: '' },
            { id: 'b', title: 'B', colour: 'red' },
          ],
        },
        { name: '', type: 'no slug' },
      )
      const { body } = await acme.agent.post('/tasks', payload)
      const paths = ['version', 'priority', 'actions[0].id', 'actions[0].title', 'actions[1].colour']
      expect(body.errors.map((error: { path: string }) => error.path)).toEqual(
        expect.arrayContaining([...paths, 'task.name', 'task.type']),
      )
    })
  })

  describe('of a form', () => {
    test.each<Case>([
      ['schema depth', 32, (n) => withProperty(nestedLists(n - 3)), 'actions[0].schema'],
      [
        'schema nodes',
        1_500,
        // The form is one node; each of the 100 tuples is one node plus its elements.
        (n) =>
          withForm({
            type: 'object',
            properties: Object.fromEntries(
              list(100, (i) => [`p${i}`, tuple(i === 0 ? n - 1 - 99 * 15 : 15)]),
            ),
          }),
        'actions[0].schema',
      ],
      [
        'properties',
        200,
        (n) =>
          withForm({
            type: 'object',
            properties: Object.fromEntries(list(n, (i) => [`p${i}`, { type: 'string' }])),
          }),
        'actions[0].schema.properties',
      ],
      ['enum values', 500, (n) => withProperty({ enum: list(n, (i) => i) }), `${at}.enum`],
      ['anyOf', 20, (n) => withProperty({ anyOf: list(n, () => ({ type: 'string' })) }), `${at}.anyOf`],
      [
        'oneOf',
        20,
        (n) => withProperty({ oneOf: list(n, (i) => ({ const: i, title: `${i}` })) }),
        `${at}.oneOf`,
      ],
      ['a pattern’s length', 256, (n) => withProperty({ type: 'string', pattern: x(n) }), `${at}.pattern`],
      [
        'minItems',
        50,
        (n) => withProperty({ type: 'array', items: { type: 'string' }, minItems: n }),
        `${at}.minItems`,
      ],
      [
        'maxItems',
        1_000,
        (n) => withProperty({ type: 'array', items: { type: 'string' }, maxItems: n }),
        `${at}.maxItems`,
      ],
    ])('%s: %i', async (_, max, payload, path) => {
      const { message } = await expectLimit(max, payload, path)
      expect(message.replaceAll(',', '')).toContain(String(max))
    })

    function tuple(nodes: number): object {
      return { type: 'array', prefixItems: list(nodes - 1, () => ({ type: 'string' })) }
    }

    test('a list accepts 1,000 items if maxItems is not set', async () => {
      const answer = async (size: number): Promise<TestResponse> => {
        const form = withProperty({ type: 'array', items: { type: 'integer' } })
        const { taskId } = (await acme.agent.post('/tasks', form)).body
        return acme.owner.post(`/tasks/${taskId}/handle`, {
          actionId: 'ok',
          data: { x: list(size, (n) => n) },
        })
      }
      expect((await answer(1_000)).status).toBe(200)
      expect((await answer(1_001)).body).toMatchObject({
        code: 'invalid_request',
        errors: [{ path: 'data.x' }],
      })
    })
  })

  describe('of updates, feedback, answers, keys, cancellations and deadlines', () => {
    const open = async () => (await acme.agent.post('/tasks', taskPayload())).body.taskId as string

    test('an update’s message: 2,000', async () => {
      const path = `/tasks/${await open()}/updates`
      expect((await acme.agent.post(path, { message: x(2_000) })).status).toBe(201)
      for (const message of [x(2_001), '', ' ', undefined]) {
        expect((await acme.agent.post(path, { message })).body.errors).toMatchObject([{ path: 'message' }])
      }
      for (const progress of [-1, 100.5, '50']) {
        expect((await acme.agent.post(path, { message: 'm', progress })).body.errors).toMatchObject([
          { path: 'progress' },
        ])
      }
    })

    test('a task’s updates: 1,000', async () => {
      const taskId = await open()
      await asOwner(service.databaseUrl, (client) =>
        client.query('UPDATE tasks SET update_count = 999 WHERE id = $1', [taskId]),
      )
      expect((await acme.agent.post(`/tasks/${taskId}/updates`, { message: 'm' })).status).toBe(201)
      expect(await acme.agent.post(`/tasks/${taskId}/updates`, { message: 'm' })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'message', message: expect.stringContaining('1000') }] },
      })
    })

    test('feedback: 1 to 10,000', async () => {
      const taskId = await open()
      for (const feedback of ['', ' \n', x(10_001), null]) {
        expect((await acme.owner.post(`/tasks/${taskId}/reject`, { feedback })).body.errors).toMatchObject([
          { path: 'feedback' },
        ])
      }
      expect((await acme.owner.post(`/tasks/${taskId}/reject`, { feedback: x(10_000) })).status).toBe(200)
    })

    test('a form’s answer and a draft: 256 KiB', async () => {
      const taskId = await open()
      const data = (size: number) => ({ reason: x(size - '{"reason":""}'.length) })
      const max = 256 * 1024
      const draft = `/tasks/${taskId}/drafts/decline`
      expect((await acme.owner.put(draft, { data: data(max) })).status).toBe(200)
      expect((await acme.owner.put(draft, { data: data(max + 1) })).status).toBe(413)
      const handle = (size: number) =>
        acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'decline', data: data(size) })
      expect((await handle(max + 1)).status).toBe(413)
      expect((await handle(max)).status).toBe(200)
    })

    test('an idempotency key: 255 printable characters, and one per request', async () => {
      const create = (key: string, inBody?: string) =>
        acme.agent.post('/tasks', taskPayload({ idempotencyKey: inBody }), { 'idempotency-key': key })
      expect((await create(x(255))).status).toBe(201)
      expect((await create(x(256))).body.errors).toMatchObject([{ path: 'Idempotency-Key' }])
      expect((await create('caf\u00e9')).body.errors).toMatchObject([{ path: 'Idempotency-Key' }])
      expect((await create('one', 'two')).body.errors).toMatchObject([{ path: 'idempotencyKey' }])
    })

    test('the reason for a cancellation: 2,000', async () => {
      const path = `/tasks/${await open()}/cancel`
      expect((await acme.agent.post(path, { reason: x(2_001) })).body.errors).toMatchObject([
        { path: 'reason' },
      ])
      expect((await acme.agent.post(path, { reason: x(2_000) })).status).toBe(200)
    })

    test('a deadline is at least a minute away', async () => {
      const create = (expiresInSeconds: number) =>
        acme.agent.post('/tasks', taskPayload({ expiresInSeconds }))
      expect((await create(60)).status).toBe(201)
      expect((await create(59)).body.errors).toMatchObject([{ path: 'expiresInSeconds' }])
    })

    test('answers on a page of tasks: 2 MiB, then the next page continues', async () => {
      const { agent, owner } = await service.workspace()
      const answer = { actionId: 'decline', data: { reason: x(250_000) } }
      for (let n = 0; n < 10; n++) {
        const { taskId } = (await agent.post('/tasks', taskPayload())).body
        expect((await owner.post(`/tasks/${taskId}/handle`, answer)).status).toBe(200)
      }
      const first = (await agent.get('/tasks?limit=100')).body
      const second = (await agent.get(`/tasks?limit=100&cursor=${first.nextCursor}`)).body
      expect(first.tasks.length).toBeLessThan(10)
      const ids = [...first.tasks, ...second.tasks].map(({ taskId }) => taskId)
      expect(new Set(ids).size).toBe(10)
      expect(ids).toHaveLength(10)
      expect(second.nextCursor).toBeNull()
    })
  })
})
