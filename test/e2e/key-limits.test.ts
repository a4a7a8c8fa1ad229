import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, callAs } from '../support/http.ts'
import {
  initializeMessage,
  listenRequest,
  type McpSession,
  openMcpSession,
  postMcp,
} from '../support/mcp-session.ts'
import { asOwner } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

const inside = { 'x-forwarded-for': '198.51.100.7' }
const outside = { 'x-forwarded-for': '203.0.113.9' }

describe('an API key that is limited to apps and types', () => {
  let service: TestService
  let acme: TestWorkspace
  let limited: { keyId: string; key: string }
  let agent: Caller
  let session: McpSession
  beforeAll(async () => {
    // One proxy in front: X-Forwarded-For is the address of the client.
    service = await startService({ TRUST_PROXY: '1' })
    acme = await service.workspace()
    limited = await create({ apps: ['refunds'], types: ['approval', 'review'] })
    agent = callAs(service.url, { 'x-api-key': limited.key })
    session = await openMcpSession(service.url, limited.key)
  })
  afterAll(() => service.stop())

  const create = async (more: object) =>
    (await acme.owner.post('/api-keys', { name: 'agent', ...more })).body as { keyId: string; key: string }
  /** A task that an unlimited key has created. */
  const newTask = async (app: string, type: string): Promise<string> =>
    (await acme.agent.post('/tasks', taskPayload({ app }, { type }))).body.taskId
  const toolError = (result: { content: { text: string }[] }) => JSON.parse(result.content[0]!.text)

  test('creates such tasks, and is told which ones when it tries to create another', async () => {
    const ours = taskPayload({ app: 'refunds' }, { type: 'approval' })
    expect((await agent.post('/tasks', ours)).status).toBe(201)
    expect((await session.call('send_to_human', ours)).isError).not.toBe(true)
    const detail =
      'This API key can create tasks only for the app refunds and the types approval, review. This task has the app default and the type approval.'
    const theirs = taskPayload({}, { type: 'approval' })
    expect(await agent.post('/tasks', theirs)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', detail },
    })
    expect(toolError(await session.call('send_to_human', theirs))).toMatchObject({
      code: 'forbidden',
      detail,
    })
    const batch = [ours, theirs, taskPayload({ app: 'refunds' }, { type: 'other' })]
    const { results } = (await agent.post('/tasks/batch', { tasks: batch })).body
    expect(results.map(({ status }: { status: number }) => status)).toEqual([201, 403, 403])
  })

  test('gets the same response for a task outside its limits as for a missing one, over REST and MCP', async () => {
    const { detail } = (await agent.get('/tasks/tsk_00000000000000000000000000')).body
    for (const [app, type] of [
      ['refunds', 'other'],
      ['default', 'approval'],
    ] as const) {
      const taskId = await newTask(app, type)
      const revision = { message: 'm', revision: { task: { name: type } }, idempotencyKey: taskId }
      expect((await acme.agent.post(`/tasks/${taskId}/updates`, revision)).status).toBe(201)
      const responses = await Promise.all([
        agent.get(`/tasks/${taskId}`),
        agent.get(`/tasks/${taskId}?waitSeconds=1`),
        agent.get(`/tasks/${taskId}?include=context,updates`),
        agent.get(`/tasks/${taskId}?waitSeconds=1&afterQuestion=${'qst_'.padEnd(30, '0')}`),
        agent.post(`/tasks/${taskId}/updates`, { message: 'm' }),
        agent.post(`/tasks/${taskId}/updates`, revision),
        agent.post(`/tasks/${taskId}/cancel`, { reason: 'r' }),
      ])
      for (const response of responses)
        expect(response).toMatchObject({ status: 404, body: { code: 'not_found', detail } })
      for (const [name, args] of [
        ['get_task', {}],
        ['send_update', { message: 'm' }],
        ['cancel_task', {}],
      ] as const)
        expect(toolError(await session.call(name, { taskId, ...args })), name).toMatchObject({
          code: 'not_found',
          detail,
        })
      expect((await session.request('resources/read', { uri: `task://${taskId}` })).body.error).toBeDefined()
      const { message, headers } = listenRequest(limited.key, [`task://${taskId}`])
      expect((await postMcp(service.url, message, headers)).status).toBe(400)
      expect((await acme.agent.get(`/tasks/${taskId}?include=updates`)).body).toMatchObject({
        status: 'open',
        name: type,
        updates: [{ message: 'm', revision: 2 }],
      })
    }
  })

  test('reads, updates and cancels tasks within its limits, whoever created them', async () => {
    const taskId = await newTask('refunds', 'review')
    expect((await agent.get(`/tasks/${taskId}?include=actions`)).status).toBe(200)
    expect((await agent.post(`/tasks/${taskId}/updates`, { message: 'm' })).status).toBe(201)
    expect((await agent.post(`/tasks/${taskId}/cancel`)).status).toBe(200)
  })

  test('lists and finds only tasks within its limits, whatever filters it sends', async () => {
    const own = [await newTask('refunds', 'approval'), await newTask('refunds', 'review')]
    const others = [await newTask('refunds', 'other'), await newTask('default', 'approval')]
    const found = async (path: string) => {
      const { status, body } = await agent.get(path)
      expect(status, path).toBe(200)
      return body.tasks as { taskId: string; app: string; type: string }[]
    }
    for (const path of ['/tasks?limit=100', '/tasks/search?query=refund&limit=100']) {
      const tasks = await found(path)
      expect(tasks.map(({ taskId }) => taskId)).toEqual(expect.arrayContaining(own))
      for (const { app, type } of tasks)
        expect([app, type]).toEqual(['refunds', expect.stringMatching(/^(approval|review)$/)])
      expect((await found(`${path}&type=review`)).map(({ type }) => type)).toContain('review')
      expect(await found(`${path}&type=other`)).toEqual([])
      expect(await found(`${path}&app=default`)).toEqual([])
    }
    expect(await found(`/tasks/search?query=${own[0]}`)).toHaveLength(1)
    for (const taskId of others) expect(await found(`/tasks/search?query=${taskId}`)).toEqual([])
    const listed = (await session.call('list_tasks', { app: 'default' })).structuredContent
    expect(listed.tasks).toEqual([])
    expect((await acme.agent.get('/tasks?app=default')).body.tasks.length).toBeGreaterThan(0)
  })

  test('gets no feedback analysis of another app or type', async () => {
    for (const pair of [
      { app: 'refunds', type: 'approval' },
      { app: 'default', type: 'approval' },
    ])
      expect((await acme.owner.post('/feedback-analyses', pair)).status).toBe(202)
    const foundBy = async (caller: Caller, app: string) =>
      (await caller.get(`/feedback-analyses/latest?app=${app}&type=approval`)).body.found
    expect([await foundBy(agent, 'refunds'), await foundBy(agent, 'default')]).toEqual([true, false])
    expect(await foundBy(acme.agent, 'default')).toBe(true)
  })

  test('shows its limits in /me, in the list and in the audit log, and keeps them when rotated', async () => {
    const limits = { apps: ['refunds'], types: ['approval', 'review'] }
    expect((await agent.get('/me')).body.key).toMatchObject(limits)
    const { apiKeys } = (await acme.owner.get('/api-keys')).body
    expect(apiKeys.find(({ keyId }: { keyId: string }) => keyId === limited.keyId)).toMatchObject(limits)
    const { entries } = (await acme.owner.get(`/audit?subject=${limited.keyId}`)).body
    expect(entries.at(-1)).toMatchObject({ action: 'api_key.created', details: limits })
    const rotated = (await acme.owner.post(`/api-keys/${limited.keyId}/rotate`)).body
    expect(rotated).toMatchObject(limits)
    expect(
      (await callAs(service.url, { 'x-api-key': rotated.key }).post('/tasks', taskPayload())).status,
    ).toBe(403)
  })

  test('a key that is limited to networks is refused from other addresses with 403, over REST and MCP', async () => {
    const { key } = await create({ cidrs: ['198.51.100.0/24', '2001:db8::1'] })
    const statuses = async (headers: Record<string, string>) => {
      const sent = { 'x-api-key': key, ...headers }
      return [
        (await callAs(service.url, sent).get('/tasks')).status,
        (await callAs(service.url, sent).get('/me')).status,
        (await postMcp(service.url, initializeMessage, sent)).status,
      ]
    }
    expect(await statuses(inside)).toEqual([200, 200, 200])
    expect(await statuses({ 'x-forwarded-for': '2001:db8::1' })).toEqual([200, 200, 200])
    expect(await statuses({ 'x-forwarded-for': '::ffff:198.51.100.7' })).toEqual([200, 200, 200])
    expect(await statuses({ 'x-forwarded-for': '2001:db8::2' })).toEqual([403, 403, 403])
    expect(await statuses(outside)).toEqual([403, 403, 403])
    // Only the MCP entry point, with the internal token, may name another address.
    expect(await statuses({ ...outside, 'handrail-client-address': '198.51.100.7' })).toEqual([403, 403, 403])
    expect(await statuses({ ...outside, 'handrail-internal': 'guess' })).toEqual([403, 403, 403])
    expect(await statuses({ 'x-forwarded-for': '198.51.100.7, 203.0.113.9' })).toEqual([403, 403, 403])
    expect((await callAs(service.url, { 'x-api-key': key, ...outside }).get('/tasks')).body).toMatchObject({
      code: 'forbidden',
      detail: expect.stringContaining('cannot be used from the address 203.0.113.9'),
    })
  })

  test('an MCP session of such a key is of no use elsewhere: neither calls nor its stream', async () => {
    const { key } = await create({ cidrs: ['198.51.100.7'] })
    const opened = await postMcp(service.url, initializeMessage, { 'x-api-key': key, ...inside })
    const headers = { 'x-api-key': key, 'mcp-session-id': opened.headers.get('mcp-session-id')! }
    const request = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} }
    expect((await postMcp(service.url, request, { ...headers, ...inside })).status).toBe(200)
    expect((await postMcp(service.url, request, { ...headers, ...outside })).status).toBe(403)
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(`${service.url}/mcp`, {
        method,
        headers: { ...headers, ...outside, accept: 'text/event-stream' },
      })
      expect(response.status, method).toBe(403)
    }
  })

  test('limits are checked: at most 20 each, valid networks, also by the database', async () => {
    const many = Array.from({ length: 21 }, (_, at) => `a${at}`)
    for (const [path, values] of [
      ['apps', []],
      ['apps', many],
      ['apps[0]', ['a\nb']],
      ['types', many],
      ['types[0]', ['two words']],
      ['cidrs', many],
      ['cidrs[1]', ['10.0.0.0/8', '10.0.0.0/33']],
      ['cidrs[0]', ['example.com']],
      ['cidrs[0]', ['10.0.0']],
      ['cidrs[0]', ['']],
    ] as const) {
      const field = path.replace(/\[.*/, '')
      expect(await acme.owner.post('/api-keys', { name: 'k', [field]: values }), path).toMatchObject({
        status: 400,
        body: { errors: [{ path }] },
      })
    }
    await asOwner(service.databaseUrl, async (client) => {
      for (const column of ['apps', 'types', 'cidrs'])
        await expect(client.query(`UPDATE api_keys SET ${column} = '{}'`)).rejects.toThrow(/check/)
    })
  })
})
