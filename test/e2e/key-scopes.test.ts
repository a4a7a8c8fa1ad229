import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callAs } from '../support/http.ts'
import { listenRequest, openMcpSession, postMcp } from '../support/mcp-session.ts'
import { asOwner } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

type Scope = 'tasks' | 'tasks:read' | 'analysis:read'

/**
 * The scopes that may call each route. A route of the OpenAPI document without a line here fails
 * the test.
 */
const routes: Record<string, { may: Scope[]; status: number; body?: object }> = {
  'GET /me': { may: ['tasks', 'tasks:read', 'analysis:read'], status: 200 },
  'POST /tasks': { may: ['tasks'], status: 201, body: taskPayload() },
  'POST /tasks/batch': { may: ['tasks'], status: 200, body: { tasks: [taskPayload()] } },
  'GET /tasks': { may: ['tasks', 'tasks:read'], status: 200 },
  'GET /tasks/search?query=refund': { may: ['tasks', 'tasks:read'], status: 200 },
  'GET /tasks/{taskId}': { may: ['tasks', 'tasks:read'], status: 200 },
  'POST /tasks/{taskId}/updates': { may: ['tasks'], status: 201, body: { message: 'm' } },
  'POST /tasks/{taskId}/cancel': { may: ['tasks'], status: 200, body: {} },
  'GET /feedback-analyses/latest?type=refund-approval': { may: ['analysis:read'], status: 200 },
}

const tools: Record<string, { may: Scope[]; args: object }> = {
  send_to_human: { may: ['tasks'], args: taskPayload() },
  get_task: { may: ['tasks', 'tasks:read'], args: {} },
  list_tasks: { may: ['tasks', 'tasks:read'], args: {} },
  search_tasks: { may: ['tasks', 'tasks:read'], args: { query: 'refund' } },
  send_update: { may: ['tasks'], args: { message: 'm' } },
  cancel_task: { may: ['tasks'], args: {} },
  get_feedback_analysis: { may: ['analysis:read'], args: { type: 'refund-approval' } },
}

const scopes: Scope[] = ['tasks', 'tasks:read', 'analysis:read']

describe('an API key can do what its scopes allow, and nothing else', () => {
  let service: TestService
  let acme: TestWorkspace
  let keys: Record<Scope, { keyId: string; key: string }>
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    keys = Object.fromEntries(
      await Promise.all(scopes.map(async (scope) => [scope, await create({ scopes: [scope] })])),
    )
  })
  afterAll(() => service.stop())

  const create = async (more: object) =>
    (await acme.owner.post('/api-keys', { name: 'agent', ...more })).body as { keyId: string; key: string }
  const newTask = async (): Promise<string> => (await acme.agent.post('/tasks', taskPayload())).body.taskId
  const meOf = async (key: string) => (await callAs(service.url, { 'x-api-key': key }).get('/me')).body.key

  test('the OpenAPI document names the scope each route needs', async () => {
    type Operation = { security: object[]; 'x-scope'?: Scope }
    type Document = { paths: Record<string, Record<string, Operation>> }
    const document = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as Document
    const forKeys = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security }]) => security.some((scheme) => 'apiKey' in scheme))
        .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation['x-scope']] as const),
    )
    expect(forKeys.map(([route]) => route).sort()).toEqual(
      Object.keys(routes)
        .map((route) => route.split('?')[0])
        .sort(),
    )
    for (const [route, scope] of forKeys) if (route !== 'GET /me') expect(scopes, route).toContain(scope)
  })

  test.each(scopes)('REST, a key with %s', async (scope) => {
    const agent = callAs(service.url, { 'x-api-key': keys[scope].key })
    for (const [route, { may, status, body }] of Object.entries(routes)) {
      const [method, template] = route.split(' ') as [string, string]
      const path = template.includes('{') ? template.replace('{taskId}', await newTask()) : template
      const answer = await agent.send(method, path, body && JSON.stringify(body))
      expect(answer.status, route).toBe(may.includes(scope) ? status : 403)
      if (answer.status === 403)
        expect(answer.body, route).toMatchObject({
          code: 'forbidden',
          detail: expect.stringMatching(new RegExp(`scope ${may.at(-1)}\\. This one has ${scope}\\.`)),
        })
    }
  })

  test.each(scopes)(
    'MCP, a key with %s: only the tools it may call are listed, and the others are rejected by name',
    async (scope) => {
      const session = await openMcpSession(service.url, keys[scope].key)
      const listed = (await session.request('tools/list')).body.result.tools as { name: string }[]
      const allowed = Object.keys(tools).filter((name) => tools[name]!.may.includes(scope))
      expect(listed.map(({ name }) => name).sort()).toEqual(allowed.sort())
      for (const [name, { may, args }] of Object.entries(tools)) {
        const takesTask = ['get_task', 'send_update', 'cancel_task'].includes(name)
        const result = await session.call(name, { ...args, ...(takesTask && { taskId: await newTask() }) })
        expect(result.isError === true, name).toBe(!may.includes(scope))
        if (result.isError)
          expect(JSON.parse(result.content[0].text), name).toMatchObject({
            code: 'forbidden',
            detail: expect.stringContaining(`scope ${may.at(-1)}.`),
          })
      }
    },
  )

  test('a key without tasks:read cannot read a task as a resource', async () => {
    const uri = `task://${await newTask()}`
    const read = async (scope: Scope) =>
      (await (await openMcpSession(service.url, keys[scope].key)).request('resources/read', { uri })).body
    expect((await read('tasks:read')).result.contents).toHaveLength(1)
    expect((await read('analysis:read')).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('scope tasks:read'),
      data: { code: 'forbidden' },
    })
  })

  test('nor subscribe to one', async () => {
    const uri = `task://${await newTask()}`
    const { message, headers } = listenRequest(keys['analysis:read'].key, [uri])
    const answer = await postMcp(service.url, message, headers)
    expect(answer).toMatchObject({ status: 403, body: { error: { data: { code: 'forbidden' } } } })
  })

  test('a key without scopes can do everything; several scopes add up, deduplicated and sorted', async () => {
    expect(await meOf(acme.apiKey)).toMatchObject({ scopes })
    const both = await create({ scopes: ['analysis:read', 'tasks:read', 'analysis:read'] })
    expect(await meOf(both.key)).toMatchObject({ scopes: ['tasks:read', 'analysis:read'] })
    const { apiKeys } = (await acme.owner.get('/api-keys')).body
    expect(apiKeys.find(({ keyId }: { keyId: string }) => keyId === both.keyId)).toMatchObject({
      scopes: ['tasks:read', 'analysis:read'],
    })
  })

  test('a rotated key keeps its scopes', async () => {
    const { keyId } = keys['tasks:read']
    const rotated = (await acme.owner.post(`/api-keys/${keyId}/rotate`)).body
    expect(rotated).toMatchObject({ scopes: ['tasks:read'] })
    const agent = callAs(service.url, { 'x-api-key': rotated.key })
    expect((await agent.post('/tasks', taskPayload())).status).toBe(403)
    expect((await agent.get('/tasks')).status).toBe(200)
  })

  test('an unknown scope is rejected, also by the database', async () => {
    for (const wrong of [[], ['tasks', 'admin'], 'tasks', ['tasks', 'tasks', 'tasks', 'tasks']])
      expect(await acme.owner.post('/api-keys', { name: 'k', scopes: wrong }), String(wrong)).toMatchObject({
        status: 400,
        body: { errors: [{ path: expect.stringMatching(/^scopes/) }] },
      })
    await asOwner(service.databaseUrl, async (client) => {
      for (const wrong of ['{admin}', '{}'])
        await expect(client.query('UPDATE api_keys SET scopes = $1', [wrong])).rejects.toThrow(/check/)
    })
  })
})
