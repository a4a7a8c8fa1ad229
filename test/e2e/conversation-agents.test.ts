import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { TaskQuestionEvent } from '../../src/contract/event.ts'
import type { TaskRecord } from '../../src/contract/task.ts'
import type { SendUpdate } from '../../src/contract/task-update.ts'
import { connectMcpClient } from '../support/mcp-client.ts'
import { openMcpSession } from '../support/mcp-session.ts'
import { startReceiver } from '../support/receiver.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

let service: TestService
let acme: TestWorkspace
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' })
  acme = await service.workspace()
})
afterAll(async () => {
  await service?.stop()
  await receiver?.stop()
})

type Answer = { actionId: string; revision: number }

/** A scripted agent: how it sends a task, learns of a question and of the answer, and replies. */
type Agent = {
  send(task: Record<string, unknown>): Promise<string>
  question(taskId: string): Promise<string>
  reply(taskId: string, reply: SendUpdate): Promise<unknown>
  answer(taskId: string, questionId: string): Promise<Answer>
  close(): Promise<unknown>
}

const post = async (path: string, body: object, as: 'agent' | 'owner' = 'agent') => {
  const { status, body: result } = await acme[as].post(path, body)
  expect(status, JSON.stringify(result)).toBeLessThan(300)
  return result
}
const byRest = {
  send: async (task: object): Promise<string> => (await post('/tasks', task)).taskId,
  reply: (taskId: string, reply: SendUpdate) => post(`/tasks/${taskId}/updates`, reply),
  close: async () => undefined,
}

/** The tools of either era of MCP. */
function byTools(
  call: (name: string, args: object) => Promise<{ content: { text: string }[]; structuredContent: unknown }>,
) {
  const wait = async (args: object) => {
    const { content, structuredContent } = await call('get_task', { waitSeconds: 50, ...args })
    return { task: structuredContent as TaskRecord, hint: content[1]?.text }
  }
  return {
    send: async (task: object): Promise<string> =>
      ((await call('send_to_human', task)).structuredContent as { taskId: string }).taskId,
    async question(taskId: string): Promise<string> {
      const { task, hint } = await wait({ taskId })
      const { questionId } = task.questions![0]!
      expect(hint).toContain('waitingFor "agent" means that people wait for your reply')
      expect(hint).toContain(questionId)
      return questionId
    },
    reply: (taskId: string, reply: SendUpdate) => call('send_update', { taskId, ...reply }),
    async answer(taskId: string, afterQuestion: string): Promise<Answer> {
      const { task, hint } = await wait({ taskId, afterQuestion })
      expect(hint).toBeUndefined()
      return task.handled!
    },
  }
}

async function connect2026() {
  const client = await connectMcpClient(service.url, acme.apiKey, { versionNegotiation: { mode: 'auto' } })
  const notified: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    notified.push(params.uri)
  })
  const tools = byTools(
    async (name, args) => (await client.callTool({ name, arguments: { ...args } })) as never,
  )
  return { client, notified, tools }
}

const agents: Record<string, () => Promise<Agent>> = {
  'REST, with waits': async () => {
    const read = async (taskId: string, query = ''): Promise<TaskRecord> =>
      (await acme.agent.get(`/tasks/${taskId}?waitSeconds=50${query}`)).body
    return {
      ...byRest,
      question: async (taskId) => (await read(taskId)).questions![0]!.questionId,
      answer: async (taskId, questionId) => (await read(taskId, `&afterQuestion=${questionId}`)).handled!,
    }
  },
  'a callback': async () => {
    const event = (taskId: string, type: string) =>
      vi.waitFor(() => {
        const events = receiver.received.map(({ body }) => JSON.parse(body))
        const found = events.filter((event) => event.taskId === taskId && event.type === type)
        expect(found).toHaveLength(1)
        return found[0]
      }, waitOptions)
    return {
      ...byRest,
      send: (task) => byRest.send({ ...task, callbackUrl: `${receiver.url}/hook` }),
      question: async (taskId) =>
        ((await event(taskId, 'service/task_question')) as TaskQuestionEvent).question.questionId,
      async answer(taskId) {
        const { action, revision } = await event(taskId, 'service/task_handled')
        return { actionId: action.id, revision }
      },
    }
  },
  'the stream of an MCP session': async () => {
    const session = await openMcpSession(service.url, acme.apiKey)
    const stream = await session.stream()
    const tools = byTools((name, args) => session.call(name, args))
    const event = async (index: number) => (await stream.first(index + 1))[index]!.message.params.data
    return {
      send: (task) => tools.send({ ...task, delivery: 'sse' }),
      question: async () => (await event(0)).question.questionId,
      reply: tools.reply,
      async answer() {
        const { action, revision } = await event(1)
        return { actionId: action.id, revision }
      },
      close: () => stream.close(),
    }
  },
  'get_task in an MCP session': async () => {
    const session = await openMcpSession(service.url, acme.apiKey)
    return { ...byTools((name, args) => session.call(name, args)), close: () => session.end() }
  },
  'get_task of MCP 2026-07-28': async () => {
    const { client, tools } = await connect2026()
    return { ...tools, close: () => client.close() }
  },
  'subscriptions/listen of MCP 2026-07-28': async () => {
    const { client, notified, tools } = await connect2026()
    const read = async (uri: string): Promise<TaskRecord> => {
      const { contents } = await client.readResource({ uri })
      return JSON.parse((contents[0] as { text: string }).text)
    }
    const notifications = async (taskId: string, count: number) => {
      const uri = `task://${taskId}`
      await vi.waitFor(() => expect(notified).toHaveLength(count), waitOptions)
      expect(notified).toEqual(Array(count).fill(uri))
      return await read(uri)
    }
    return {
      async send(task) {
        const taskId = await tools.send(task)
        await client.listen({ resourceSubscriptions: [`task://${taskId}`] })
        return taskId
      },
      question: async (taskId) => (await notifications(taskId, 1)).questions![0]!.questionId,
      reply: tools.reply,
      // Once for the question and once for the answer.
      answer: async (taskId) => (await notifications(taskId, 2)).handled!,
      close: () => client.close(),
    }
  },
}

test.each(Object.keys(agents))(
  'by %s, an agent is asked, replies with a revision and is answered',
  async (way) => {
    const agent = await agents[way]!()
    const taskId = await agent.send(taskPayload({ acceptsQuestions: true }))
    const learned = agent.question(taskId)
    const asked = { text: 'Take off the shipping.', kind: 'changes' }
    const { questionId } = await post(`/tasks/${taskId}/questions`, asked, 'owner')
    expect(await learned).toBe(questionId)
    const revision = { task: { name: 'Refund €30?' }, context: { data: { amount: 30 } } }
    await agent.reply(taskId, { message: 'Lowered to €30.', answers: questionId, revision })
    const answered = agent.answer(taskId, questionId)
    const handle = (seen: number) =>
      acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve', revision: seen })
    expect(await handle(1)).toMatchObject({ status: 409, body: { code: 'task_revised', revision: 2 } })
    expect(await handle(2)).toMatchObject({ status: 200, body: { name: 'Refund €30?' } })
    expect(await answered).toMatchObject({ actionId: 'approve', revision: 2 })
    await agent.close()
  },
)
