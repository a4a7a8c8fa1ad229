import { createHash } from 'node:crypto'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { createTaskSessionFromClient, resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectMcpClient } from '../support/mcp-client.ts'
import { postMcp } from '../support/mcp-session.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

const tasksExtension = 'io.modelcontextprotocol/tasks'
const version = '2026-07-28'
const clientInfo = { name: 'test', version: '1' }
const declaresTasks = { extensions: { [tasksExtension]: {} } }

let service: TestService
let acme: TestWorkspace
let other: TestWorkspace
beforeAll(async () => {
  service = await startService()
  acme = await service.workspace()
  other = await service.workspace()
})
afterAll(() => service.stop())

const protocols = [
  ['2025-11-25', {}],
  [version, { versionNegotiation: { mode: 'auto' as const } }],
] as const

const connect = (options: object) => connectMcpClient(service.url, acme.apiKey, options)

const createTask = async (fields = {}): Promise<string> =>
  (await acme.agent.post('/tasks', { ...taskPayload(), ...fields })).body.taskId

describe('the Tasks extension', () => {
  let nextId = 1
  /** A request of the stateless protocol without a client library. */
  const request = async (
    method: string,
    params: Record<string, unknown>,
    { apiKey = acme.apiKey, capabilities = declaresTasks as object } = {},
  ) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    }
    const name = String(params.name ?? params.taskId)
    const headers = {
      'x-api-key': apiKey,
      'mcp-protocol-version': version,
      'mcp-method': method,
      'mcp-name': name,
    }
    const message = { jsonrpc: '2.0', id: nextId++, method, params: { ...params, _meta } }
    return (await postMcp(service.url, message, headers)).body
  }
  const wait = (taskId: string, options?: object) =>
    request('tools/call', { name: 'get_task', arguments: { taskId, waitSeconds: 50 } }, options)

  test('a host polls a handle instead of waiting, and gets the result of get_task', async () => {
    const client = await connect({ versionNegotiation: { mode: 'auto' }, capabilities: declaresTasks })
    const session = createTaskSessionFromClient(client, {
      endpointId: 'handrail',
      rawDispatch: async (raw) => {
        const { method, params } = raw as { method: string; params: Record<string, unknown> }
        return { ...(await request(method, params)), id: (raw as { id: number }).id }
      },
      v2RequestFraming: { protocolVersion: version, clientInfo, clientCapabilities: declaresTasks },
    })
    const taskId = await createTask()
    const execution = await session.callTool('get_task', { taskId, waitSeconds: 50 })
    await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'decline', data: { reason: 'Late' } })
    const { outcome } = await execution.settle()
    expect(resultFromTaskOutcome(outcome)).toMatchObject({
      structuredContent: { taskId, status: 'handled', handled: { actionId: 'decline' } },
    })
    await session.close()
    await client.close()
  })

  test('the handle says what the task is waiting for, and when it ends by itself', async () => {
    const taskId = await createTask({ expiresInSeconds: 3600 })
    const waiting = await wait(taskId)
    expect(waiting.result).toMatchObject({
      resultType: 'task',
      taskId,
      status: 'working',
      statusMessage: expect.stringContaining(`/inbox/${taskId}`),
      ttlMs: 3_600_000,
      pollIntervalMs: 5000,
    })
    await acme.agent.post(`/tasks/${taskId}/updates`, { message: 'Asked the warehouse.' })
    const { result } = await request('tasks/get', { taskId })
    expect(result).toMatchObject({ status: 'working', statusMessage: 'Asked the warehouse.' })
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    const ended = (await request('tasks/get', { taskId })).result
    expect(ended.status).toBe('completed')
    expect(ended.statusMessage).toBeUndefined()
  })

  test('a handle completes with the open task when a person asks, so that the model can reply', async () => {
    const taskId = await createTask({ acceptsQuestions: true })
    expect((await wait(taskId)).result.resultType).toBe('task')
    const body = { text: 'Which card?', kind: 'question' }
    const { questionId } = (await acme.owner.post(`/tasks/${taskId}/questions`, body)).body
    const { result } = await request('tasks/get', { taskId })
    expect(result).toMatchObject({
      status: 'completed',
      result: {
        structuredContent: { status: 'open', waitingFor: 'agent', questions: [{ questionId }] },
        content: [{}, { text: expect.stringContaining(questionId) }],
      },
    })
    await acme.agent.post(`/tasks/${taskId}/updates`, { message: 'The debit card.', answers: questionId })
    expect((await wait(taskId)).result).toMatchObject({ resultType: 'task', status: 'working' })
  })

  test('tasks/cancel cancels the task', async () => {
    const taskId = await createTask()
    expect((await request('tasks/cancel', { taskId })).error).toBeUndefined()
    expect((await request('tasks/get', { taskId })).result).toMatchObject({ taskId, status: 'cancelled' })
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.status).toBe('cancelled')
  })

  test('a task that has ended, a call without a wait and a call with include are answered at once', async () => {
    const open = await createTask()
    const ended = await createTask()
    await acme.owner.post(`/tasks/${ended}/mark-done`)
    expect((await wait(ended)).result.structuredContent).toMatchObject({ taskId: ended, status: 'handled' })
    for (const args of [{}, { waitSeconds: 0 }, { waitSeconds: 1, include: ['context'] }]) {
      const { result } = await request('tools/call', {
        name: 'get_task',
        arguments: { taskId: open, ...args },
      })
      expect(result.structuredContent).toMatchObject({ taskId: open, status: 'open' })
    }
  })

  test('a client that does not declare it waits as usual, and its tasks/get is refused', async () => {
    const taskId = await createTask()
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    const capabilities = {}
    expect((await wait(taskId, { capabilities })).result.structuredContent.status).toBe('handled')
    expect((await request('tasks/get', { taskId }, { capabilities })).error.code).toBe(-32021)
  })

  test('another workspace’s task does not exist', async () => {
    const taskId = await createTask()
    const { apiKey } = other
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
      expect((await request(method, { taskId, inputResponses: {} }, { apiKey })).error.code).toBe(-32602)
    expect((await wait(taskId, { apiKey })).result.isError).toBe(true)
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.status).toBe('open')
  })

  test('a key that may only read cannot cancel', async () => {
    const taskId = await createTask()
    const body = { name: 'reader', scopes: ['tasks:read'] }
    const { key: apiKey } = (await acme.owner.post('/api-keys', body)).body
    expect((await request('tasks/cancel', { taskId }, { apiKey })).error.code).toBe(-32602)
    expect((await request('tasks/get', { taskId }, { apiKey })).result.status).toBe('working')
  })
})

describe.each(protocols)('in protocol %s', (_, options) => {
  test('one skill teaches how to hand work to people', async () => {
    const client = await connect(options)
    const skills = new SkillsClient(client)
    const { skills: entries } = await skills.list()
    expect(entries).toMatchObject([{ frontmatter: { name: 'hand-work-to-people' } }])
    const [{ uri, resources }] = entries as unknown as [{ uri: string; resources: { digest: string }[] }]
    const { contents } = await client.readResource({ uri })
    const { text } = contents[0] as { text: string }
    expect(resources[0]!.digest).toBe(`sha256:${createHash('sha256').update(text).digest('hex')}`)
    const { tools } = await client.listTools()
    for (const { name } of tools.filter(({ name }) => name !== 'list_tasks')) expect(text).toContain(name)
    expect((await client.listResources()).resources.map((resource) => resource.uri)).toEqual([uri])
    await expect(skills.get('skill://other/SKILL.md')).rejects.toThrow()
    await client.close()
  })

  test('the server has an icon that can be loaded', async () => {
    const client = await connect(options)
    const [icon] = client.getServerVersion()!.icons!
    const response = await fetch(icon!.src)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, icon!.mimeType])
    await client.close()
  })
})
