import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { initializeMessage, type McpResponse, openMcpSession, postMcp } from '../support/mcp-session.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

// A tool call is handled without the SDK unless it asks for progress.

describe('a tool call', () => {
  let service: TestService
  let acme: TestWorkspace
  let other: TestWorkspace
  let taskId: string
  let session: Record<string, string>
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    other = await service.workspace()
    taskId = (await acme.agent.post('/tasks', taskPayload())).body.taskId
    session = (await openMcpSession(service.url, acme.apiKey)).identity
  })
  afterAll(() => service.stop())

  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const stateless = (name: string) => ({
    'x-api-key': acme.apiKey,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  })
  const call = (name: string, args: unknown, meta?: object, more: object = {}) => ({
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name, arguments: args, ...(meta && { _meta: meta }) },
    ...more,
  })
  const openTasks = async () => (await acme.owner.get('/inbox')).body.counts.open as number

  const calls: [string, string, () => unknown][] = [
    ['a task', 'get_task', () => ({ taskId })],
    ['an unknown task', 'get_task', () => ({ taskId: 'tsk_01k9ztqv7e4m8c2n5w6x3y0abd' })],
    ['invalid arguments', 'get_task', () => ({ task: 1 })],
    ['no arguments', 'send_to_human', () => undefined],
    ['a list', 'list_tasks', () => ({ status: 'open' })],
    ['an unknown tool', 'drop_tables', () => ({})],
  ]
  // requestId is different each time.
  const comparable = ({ status, body }: McpResponse) => [
    status,
    JSON.parse(JSON.stringify(body).replace(/req_[\w-]+/g, 'req')),
  ]

  test.each(calls)('gets the same response with and without the SDK: %s', async (_, name, args) => {
    const progress = { progressToken: 1 }
    expect(comparable(await postMcp(service.url, call(name, args()), session))).toEqual(
      comparable(await postMcp(service.url, call(name, args(), progress), session)),
    )
    expect(comparable(await postMcp(service.url, call(name, args(), envelope), stateless(name)))).toEqual(
      comparable(
        await postMcp(service.url, call(name, args(), { ...envelope, ...progress }), stateless(name)),
      ),
    )
  })

  test.each([
    ['2025-11-25', {}],
    ['2025-03-26', {}],
    [
      '2025-11-25',
      { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } },
    ],
  ])('so does initialize: %s %j', async (protocolVersion, capabilities) => {
    const initialize = (meta: object) =>
      postMcp(
        service.url,
        {
          ...initializeMessage,
          params: { ...initializeMessage.params, protocolVersion, capabilities, ...meta },
        },
        { 'x-api-key': acme.apiKey },
      )
    const plain = await initialize({})
    const bySdk = await initialize({ _meta: { progressToken: 1 } })
    expect(plain.headers.get('content-type')).not.toBe(bySdk.headers.get('content-type'))
    expect(comparable(plain)).toEqual(comparable(bySdk))
  })

  test('that is malformed has no effect', async () => {
    const before = await openTasks()
    const task = call('send_to_human', taskPayload())
    const withEnvelope = call('send_to_human', taskPayload(), envelope)
    const named = stateless('send_to_human')
    const odd: [unknown, Record<string, string>, number][] = [
      [{ ...task, id: null }, session, 400],
      [{ ...task, id: { toString: 1 } }, session, 400],
      [{ ...task, jsonrpc: '1.0' }, session, 400],
      [{ ...task, params: [task.params] }, session, 400],
      // A notification has no response.
      [{ ...task, id: undefined }, session, 202],
      [task, { ...session, accept: 'application/json' }, 406],
      [task, { ...session, 'content-type': 'text/plain' }, 415],
      [task, { ...session, 'mcp-protocol-version': '1999-01-01' }, 400],
      [task, { ...session, 'mcp-session-id': 'nobody' }, 404],
      [task, { ...session, 'x-api-key': other.apiKey }, 404],
      [task, { 'x-api-key': acme.apiKey }, 400],
      [[withEnvelope], named, 400],
      [withEnvelope, { ...named, 'mcp-name': 'get_task' }, 400],
      [withEnvelope, { ...named, 'mcp-method': 'tools/list' }, 400],
      [withEnvelope, { ...named, 'mcp-protocol-version': '2025-11-25' }, 400],
      [task, named, 400],
      [withEnvelope, { ...named, 'content-type': 'text/plain' }, 415],
    ]
    for (const [body, headers, status] of odd)
      expect([body, headers, (await postMcp(service.url, body, headers)).status]).toEqual([
        body,
        headers,
        status,
      ])
    expect(await openTasks()).toBe(before)
  })

  test('with its key in the URL is unauthenticated', async () => {
    for (const query of ['api_key', 'apiKey', 'key', 'token', 'access_token', 'x-api-key']) {
      const response = await fetch(`${service.url}/mcp?${query}=${acme.apiKey}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify(call('get_task', { taskId })),
      })
      expect(response.status).toBe(401)
    }
  })

  test('of another workspace finds nothing, even with headers reserved for the MCP entry point', async () => {
    const headers = {
      ...stateless('get_task'),
      'x-api-key': other.apiKey,
      'handrail-internal': 'guess',
      'handrail-session': session['mcp-session-id']!,
      'handrail-workspace': acme.workspaceId,
    }
    const { body } = await postMcp(service.url, call('get_task', { taskId }, envelope), headers)
    expect(body.result).toMatchObject({ isError: true })
    expect(body.result.content[0].text).toContain('not_found')
  })
})

describe('a session’s stream', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
  })
  afterAll(() => service.stop())

  test('rejects an invalid Last-Event-ID and ignores one from the future', async () => {
    const session = await openMcpSession(service.url, acme.apiKey)
    for (const forged of ['-1', '1e3', '0x1', '1 OR 1=1', '9'.repeat(16), 'tsk_1']) {
      await expect(session.stream(forged)).rejects.toThrow('no stream: 400')
    }
    const stream = await session.stream('9'.repeat(15))
    const { taskId } = (await session.call('send_to_human', taskPayload({ delivery: 'sse' })))
      .structuredContent
    await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
    expect((await stream.first(1))[0]!.message.params.data).toMatchObject({ taskId })
    await stream.close()
  })
})
