import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type McpSession, openMcpSession } from '../support/mcp-session.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

const payload = taskPayload()
const [approve, decline] = payload.actions

describe('arguments of tools', () => {
  let service: TestService
  let acme: TestWorkspace
  let session: McpSession
  let taskId: string
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    session = await openMcpSession(service.url, acme.apiKey)
    taskId = (await acme.agent.post('/tasks', taskPayload())).body.taskId
  })
  afterAll(() => service.stop())

  describe('that are null or empty count as omitted where they are optional', () => {
    const optionals: Record<string, { args(): object; optional: string[] }> = {
      send_to_human: {
        args: () => ({ ...payload, task: { ...payload.task } }),
        optional:
          'context type app version priority delivery callbackUrl threadId idempotencyKey expiresInSeconds onExpire metadata assignTo review requireHuman acceptsQuestions'.split(
            ' ',
          ),
      },
      get_task: { args: () => ({ taskId }), optional: ['waitSeconds', 'afterQuestion', 'include'] },
      send_update: {
        args: () => ({ taskId, message: 'm' }),
        optional: 'level progress answers revision idempotencyKey'.split(' '),
      },
      list_tasks: {
        args: () => ({}),
        optional:
          'fields status type app version priority threadId createdAfter createdBefore limit cursor'.split(
            ' ',
          ),
      },
      search_tasks: {
        args: () => ({ query: 'refund' }),
        optional: 'status type app limit cursor'.split(' '),
      },
      get_feedback_analysis: { args: () => ({ type: 'refund-approval' }), optional: ['app'] },
      cancel_task: { args: () => ({ taskId }), optional: ['reason'] },
    }

    test.each(Object.keys(optionals))('%s', async (tool) => {
      const { args, optional } = optionals[tool]!
      const { tools } = (await session.request('tools/list')).body.result
      const { properties, required = [] } = tools.find(
        ({ name }: { name: string }) => name === tool,
      ).inputSchema
      expect(
        Object.keys(properties)
          .filter((name) => !required.includes(name))
          .sort(),
      ).toEqual([...optional].sort())
      for (const absent of [null, '']) {
        const left = Object.fromEntries(optional.map((name) => [name, absent]))
        expect((await session.call(tool, { ...args(), ...left })).isError).toBeUndefined()
      }
    })

    test('also inside an action', async () => {
      for (const absent of [null, '']) {
        const nothing = { description: absent, schema: absent, ui: absent, outcome: absent }
        const result = await session.call('send_to_human', {
          ...payload,
          task: { ...payload.task, type: absent },
          type: 'refund-approval',
          actions: [{ ...approve, ...nothing }, decline],
        })
        expect(result.isError).toBeUndefined()
      }
    })
  })

  describe('that are nearly right are accepted', () => {
    test('numbers out of range are clamped, and a numeric string is a number', async () => {
      for (const limit of [0, 1_000, '5'])
        expect((await session.call('list_tasks', { limit })).isError).toBeUndefined()
      const read = await session.call('get_task', { taskId, waitSeconds: -3, include: 'context,actions' })
      expect(read.structuredContent).toMatchObject({
        taskId,
        actions: [{ id: 'approve' }, { id: 'decline' }],
      })
    })
  })
})
