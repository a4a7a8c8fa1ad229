import { expect } from 'vitest'
import { connectToSlack, type FakeSlack } from './fake-slack.ts'
import { type TestService, taskPayload } from './service.ts'

let lastNumber = 0

/**
 * A connected workspace with a channel for all tasks, and a member who has not linked their Slack
 * user yet.
 */
export async function connectedWorkspace(service: TestService, slack: FakeSlack) {
  const workspace = await service.workspace()
  const app = await connectToSlack(service.url, workspace)
  lastNumber += 1
  const channel = `C${String(lastNumber).padStart(8, '0')}`
  const set = (channels: object[]) => workspace.owner.put('/slack/channels', { channels })
  expect((await set([{ channelId: channel, name: '#tasks', for: 'all' }])).status).toBe(200)
  const messageOf = (taskId: string) =>
    slack.inChannel(channel).find(({ blocks }) => JSON.stringify(blocks).includes(taskId))
  return {
    workspace,
    app,
    channel,
    set,
    /** Of the member's Slack user. */
    userId: `U${String(lastNumber).padStart(8, '0')}`,
    mara: await workspace.person(),
    /** Creates a task and waits for its message. */
    async posted(payload: object = taskPayload()) {
      const created = await workspace.agent.post('/tasks', payload)
      expect(created.status, JSON.stringify(created.body)).toBe(201)
      const { taskId } = created.body
      await expect.poll(() => messageOf(taskId)).toBeDefined()
      return { taskId, message: messageOf(taskId)! }
    },
    task: async (taskId: string) => (await workspace.owner.get(`/tasks/${taskId}`)).body,
    status: async (taskId: string) => (await workspace.owner.get(`/tasks/${taskId}`)).body.status,
  }
}

export async function linkedWorkspace(service: TestService, slack: FakeSlack) {
  const connected = await connectedWorkspace(service, slack)
  await connected.app.link(connected.mara, connected.userId)
  return connected
}
