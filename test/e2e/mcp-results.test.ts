import type { Client, Tool } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectMcpClient } from '../support/mcp-client.ts'
import { initializeMessage, type McpSession, openMcpSession, postMcp } from '../support/mcp-session.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

const unknownTask = 'tsk_01k9ztqv7e4m8c2n5w6x3y0abd'

describe('tool results', () => {
  let service: TestService
  let acme: TestWorkspace
  let session: McpSession
  beforeAll(async () => {
    service = await startService({ SERVICE_APP: 'checkout' })
    acme = await service.workspace()
    session = await openMcpSession(service.url, acme.apiKey)
  })
  afterAll(() => service.stop())

  const createTask = async (more = {}): Promise<string> =>
    (await session.call('send_to_human', taskPayload(more))).structuredContent.taskId

  describe('a model learns', () => {
    let tools: Tool[]
    beforeAll(async () => {
      tools = (await session.request('tools/list')).body.result.tools
    })

    test('about seven tools, each with a title, a description, schemas and annotations', () => {
      expect(tools.map(({ name }) => name)).toEqual([
        'send_to_human',
        'get_task',
        'send_update',
        'cancel_task',
        'list_tasks',
        'search_tasks',
        'get_feedback_analysis',
      ])
      for (const tool of tools) {
        expect(tool.title).toMatch(/^[A-Z]/)
        expect(tool.description!.length).toBeGreaterThan(80)
        expect(tool.inputSchema).toMatchObject({ type: 'object' })
        expect(tool.outputSchema).toMatchObject({ type: 'object' })
        expect(tool.annotations).toMatchObject({ title: tool.title, readOnlyHint: expect.any(Boolean) })
      }
      const changing = tools.filter(({ annotations }) => !annotations!.readOnlyHint).map(({ name }) => name)
      expect(changing).toEqual(['send_to_human', 'send_update', 'cancel_task'])
      expect(tools.filter(({ annotations }) => annotations!.destructiveHint).map(({ name }) => name)).toEqual(
        ['cancel_task'],
      )
    })

    test('the type of every argument and the range of every number', () => {
      for (const { name, inputSchema } of tools) {
        for (const [argument, schema] of Object.entries(
          inputSchema.properties as Record<string, Tool['inputSchema']>,
        )) {
          const where = `${name}.${argument}`
          expect([where, schema.type]).toEqual([
            where,
            expect.stringMatching(/^(string|integer|number|boolean|array|object)$/),
          ])
          // In the description only, so that a number out of range reaches the server, which clamps
          // it or names the range.
          if (/^(integer|number)$/.test(schema.type))
            expect(schema).toMatchObject({ description: expect.stringMatching(/\d+ to \d+/) })
        }
      }
    })

    test('how to wait and which two ids mean stop, in the words of get_task and send_to_human', () => {
      const text = (name: string) => tools.find((tool) => tool.name === name)!.description
      for (const word of ['waitSeconds', 'service:mark-done', 'service:reject-request'])
        expect(text('get_task')).toContain(word)
      expect(text('send_to_human')).toContain('get_task')
    })

    test('an example of send_to_human that works unchanged', async () => {
      const { description } = tools[0]!
      const example = /Example:\n(\{.+?\n)\n/s.exec(description!)![1]!
      const result = await session.call('send_to_human', JSON.parse(example))
      expect(result.structuredContent).toEqual({ taskId: expect.stringMatching(/^tsk_/), delivery: 'poll' })
    })
  })

  describe('every result matches its announced schema, as the official client checks it', () => {
    let client: Client
    beforeAll(async () => {
      client = await connectMcpClient(service.url, acme.apiKey, { versionNegotiation: { mode: 'auto' } })
      await client.listTools()
    })
    afterAll(() => client.close())

    const everything = taskPayload({
      context: {
        data: { order: 7, drafts: [{ text: 'one' }] },
        ui: {
          order: { 'ui:title': 'Order' },
          drafts: { 'ui:widget': 'compare' },
          missing: { 'ui:widget': 'odd' },
        },
      },
      version: '2026.11',
      priority: 'urgent',
      metadata: { trace: 'abc' },
      threadId: 'refunds',
    })
    const call = async (name: string, args: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: args })
      expect(result.isError).toBeUndefined()
      const [text] = result.content as { type: string; text: string }[]
      expect(JSON.parse(text!.text)).toEqual(result.structuredContent)
      return result
    }

    test('for every tool and every state of a task, and the text contains the same data', async () => {
      const sent = await call('send_to_human', { ...everything, assignTo: acme.ownerEmail })
      const { taskId, warnings } = sent.structuredContent as { taskId: string; warnings: object[] }
      expect(warnings).not.toEqual([])
      await call('send_update', { taskId, message: 'Looking', level: 'working', progress: 12.5 })
      const include = ['context', 'actions', 'updates']
      await call('get_task', { taskId, include })
      await acme.owner.post(`/tasks/${taskId}/handle`, {
        actionId: 'decline',
        data: { reason: 'Too late' },
        presented: { drafts: { order: [0], blind: false } },
      })
      const { taskId: cancelled } = (await call('send_to_human', taskPayload())).structuredContent as {
        taskId: string
      }
      await call('cancel_task', { taskId: cancelled, reason: 'Solved' })
      await call('get_task', { taskId: cancelled })
      const read = await call('get_task', { taskId, include })
      expect(read.structuredContent).toMatchObject({
        status: 'handled',
        app: 'checkout',
        handled: {
          actionId: 'decline',
          data: { reason: 'Too late' },
          presented: { drafts: { blind: false } },
        },
        metadata: { trace: 'abc' },
        assignedTo: acme.ownerEmail,
        context: { data: { order: 7 } },
        updates: [{ message: 'Looking', progress: 12.5 }],
      })
      const page = await call('list_tasks', { limit: 1 })
      const { nextCursor } = page.structuredContent as { nextCursor: string }
      await call('list_tasks', { limit: 1, cursor: nextCursor })
      await call('search_tasks', { query: 'refund' })
      const analysis = await call('get_feedback_analysis', { type: 'refund-approval' })
      expect(analysis.structuredContent).toEqual({ found: false, message: expect.any(String) })
    })

    test('in the 2026 protocol, which has no session, a push is a warning and get_task is the next step', async () => {
      const pushed = taskPayload({ delivery: 'sse' })
      const { structuredContent, content } = (await client.callTool({
        name: 'send_to_human',
        arguments: pushed,
      })) as { structuredContent: object; content: { text: string }[] }
      const warnings = [
        { path: 'delivery', message: expect.stringMatching(/subscriptions\/listen, or call get_task\.$/) },
      ]
      expect(structuredContent).toEqual({ taskId: expect.any(String), delivery: 'sse', warnings })
      expect(content[1]!.text).toMatch(/Call get_task with taskId "tsk_\w+" and waitSeconds 50\./)
      // Over REST there is no session either; a call in a session gets no warning.
      expect((await acme.agent.post('/tasks', pushed)).body).toMatchObject({ delivery: 'sse', warnings })
      expect((await session.call('send_to_human', pushed)).structuredContent).not.toHaveProperty('warnings')
    })

    test('and that check detects a mismatch', async () => {
      const { tools } = await client.listTools()
      const listTasks = tools.find(({ name }) => name === 'list_tasks')!
      const toolDefinition: Tool = { ...listTasks, outputSchema: { type: 'object', required: ['rows'] } }
      await expect(
        client.callTool({ name: 'list_tasks', arguments: {} }, { toolDefinition }),
      ).rejects.toThrow(/output schema/)
    })
  })

  test('send_to_human returns the link and the next step for its delivery in a second text block', async () => {
    const nextSteps = {
      poll: /Call get_task with taskId "tsk_\w+" and waitSeconds 50\..* few calls, .*link, end your turn/,
      sse: /pushed to your MCP session; there is nothing to poll/,
      callback: /sent to your callbackUrl; there is nothing to poll/,
    }
    for (const [delivery, nextStep] of Object.entries(nextSteps)) {
      const more = delivery === 'callback' ? { callbackUrl: 'https://example.com/hook' } : { delivery }
      const { content, structuredContent } = await session.call('send_to_human', taskPayload(more))
      const { taskId } = structuredContent
      expect(structuredContent).toEqual({ taskId, delivery })
      expect(content).toHaveLength(2)
      const { url } = (await session.call('get_task', { taskId })).structuredContent
      expect(content[1].text).toContain(url)
      expect(content[1].text).toMatch(nextStep)
    }
  })

  test('no description asks a model to poll endlessly', async () => {
    const { tools } = (await session.request('tools/list')).body.result
    const { instructions } = (await postMcp(service.url, initializeMessage, { 'x-api-key': acme.apiKey }))
      .body.result
    const texts = [instructions, ...tools.map(({ description }: Tool) => description)].join('\n')
    expect(texts).not.toMatch(/again and again|\buntil (its )?status\b|\brepeat/)
    expect(texts.match(/end your turn/g)).toHaveLength(3)
  })

  describe('SERVICE_APP is the default app', () => {
    test('in send_to_human, unless an app is provided', async () => {
      const apps = []
      for (const more of [{}, { app: null }, { app: 'shop' }]) {
        const taskId = await createTask(more)
        apps.push((await session.call('get_task', { taskId })).structuredContent.app)
      }
      expect(apps).toEqual(['checkout', 'checkout', 'shop'])
      expect(
        (await acme.agent.get(`/tasks/${(await acme.agent.post('/tasks', taskPayload())).body.taskId}`)).body
          .app,
      ).toBe('default')
    })

    test('in get_feedback_analysis', async () => {
      const messages = []
      for (const args of [{}, { app: 'shop' }]) {
        const result = await session.call('get_feedback_analysis', { type: 'refund-approval', ...args })
        messages.push(result.structuredContent.message)
      }
      expect(messages[0]).toContain('checkout')
      expect(messages[1]).toContain('shop')
    })
  })

  describe('a rejection is a result with code, detail and the relevant fields', () => {
    const refusal = async (tool: string, args: object) => {
      const result = await session.call(tool, args)
      expect(result).toMatchObject({ isError: true, content: [{ type: 'text' }] })
      expect(result.structuredContent).toBeUndefined()
      return JSON.parse(result.content[0].text)
    }

    test('not_found: a missing task, or one of another workspace', async () => {
      const other = await service.workspace()
      const { taskId: foreign } = (await other.agent.post('/tasks', taskPayload())).body
      for (const taskId of [unknownTask, foreign]) {
        for (const [tool, args] of [
          ['get_task', { taskId }],
          ['get_task', { taskId, waitSeconds: 5 }],
          ['send_update', { taskId, message: 'm' }],
          ['cancel_task', { taskId }],
        ] as const)
          expect(await refusal(tool, args)).toMatchObject({ code: 'not_found', detail: expect.any(String) })
      }
    })

    test('task_not_open: who handled it, when and how', async () => {
      const taskId = await createTask()
      await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
      for (const [tool, args] of [
        ['cancel_task', { taskId }],
        ['send_update', { taskId, message: 'm' }],
      ] as const) {
        expect(await refusal(tool, args)).toMatchObject({
          code: 'task_not_open',
          taskStatus: 'handled',
          handledBy: acme.ownerEmail,
          handledAt: expect.stringMatching(/^\d{4}-.+Z$/),
          actionId: 'approve',
        })
      }
    })

    test('idempotency_conflict: a different call with a used key; the same call returns the same task', async () => {
      const idempotencyKey = 'order-7'
      const first = await createTask({ idempotencyKey })
      expect(await createTask({ idempotencyKey })).toBe(first)
      expect(await refusal('send_to_human', taskPayload({ idempotencyKey, priority: 'low' }))).toMatchObject({
        code: 'idempotency_conflict',
      })
    })

    test('payload_too_large', async () => {
      const context = { data: { text: 'x'.repeat(600 * 1024) } }
      expect(await refusal('send_to_human', taskPayload({ context }))).toMatchObject({
        code: 'payload_too_large',
        detail: expect.stringContaining('524288'),
      })
    })

    test('rate_limited: with the time to retry', async () => {
      const limited = await startService({
        DATABASE_URL: service.databaseUrl,
        RATE_LIMIT: '1',
        RATE_BURST: '20',
      })
      const agent = await openMcpSession(limited.url, acme.apiKey)
      await agent.request('tools/list')
      const results = await Promise.all(
        Array.from({ length: 22 }, () => agent.call('list_tasks', { limit: 1 })),
      )
      // Opening the session and listing the tools count, too.
      const refused = results.filter(({ isError }) => isError)
      expect(refused).toHaveLength(4)
      expect(JSON.parse(refused[0].content[0].text)).toMatchObject({
        code: 'rate_limited',
        detail: expect.any(String),
        retryAfterSeconds: expect.any(Number),
      })
      await limited.stop()
    })
  })

  describe('other invalid requests are protocol errors', () => {
    test('an unknown tool, by its name', async () => {
      for (const name of ['send_to_humans', '__proto__', '']) {
        const { body } = await session.request('tools/call', { name, arguments: {} })
        expect(body.error).toEqual({ code: -32602, message: `Tool "${name}" not found.` })
      }
    })

    test('an unknown method, and an unknown resource', async () => {
      expect((await session.request('tools/destroy')).body.error.code).toBe(-32601)
      for (const uri of [`task://${unknownTask}`, 'file:///etc/passwd'])
        expect((await session.request('resources/read', { uri })).body.error).toMatchObject({
          code: expect.toSatisfy((code) => [-32602, -32002].includes(code)),
          message: expect.stringContaining(uri),
        })
    })
  })
})
