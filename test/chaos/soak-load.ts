import { setTimeout as sleep } from 'node:timers/promises'
import { openInboxReader } from '../support/inbox-reader.ts'
import { openMcpSession } from '../support/mcp-session.ts'
import { agentAt, personAt } from '../support/nodes.ts'
import { type TestWorkspace, taskPayload } from '../support/service.ts'

/** Typical work at a modest rate, until it is stopped. Responses other than 2xx and 409 are recorded. */
export function soak(url: string, workspace: TestWorkspace, callbackUrl: string) {
  const agent = agentAt(url, workspace)
  const person = personAt(url, workspace, workspace.owner)
  const odd: string[] = []
  const open: string[] = []
  let going = true
  let calls = 0

  async function ok(call: ReturnType<typeof agent.get>) {
    const answer = await call
    calls++
    if (answer.status >= 300 && answer.status !== 409)
      odd.push(`${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }
  async function every(milliseconds: number, work: (turn: number) => Promise<unknown>): Promise<void> {
    for (let turn = 0; going; turn++) {
      await work(turn)
      await sleep(milliseconds)
    }
  }

  const running = [
    every(150, async (turn) => {
      const payload = taskPayload({
        threadId: `thread ${turn % 20}`,
        ...(turn % 2 === 0 && { callbackUrl }),
        ...(turn % 3 === 0 && { idempotencyKey: `soak ${turn}` }),
        ...(turn % 5 === 0 && { expiresInSeconds: 60 }),
      })
      open.push((await ok(agent.post('/tasks', payload))).body.taskId)
    }),
    every(150, async (turn) => {
      const taskId = open.shift()
      if (!taskId) return
      const waiting = ok(agent.get(`/tasks/${taskId}?waitSeconds=20`))
      await ok(agent.post(`/tasks/${taskId}/updates`, { message: `turn ${turn}` }))
      await ok(person.post(`/tasks/${taskId}/claim`))
      await ok(person.put(`/tasks/${taskId}/drafts/decline`, { data: { reason: 'Perhaps' } }))
      if (turn % 7 === 0) await ok(agent.post(`/tasks/${taskId}/cancel`))
      else await ok(person.post(`/tasks/${taskId}/handle`, { actionId: 'decline', data: { reason: 'No' } }))
      await waiting
    }),
    every(500, async () => {
      await ok(person.get('/inbox'))
      await ok(agent.get('/tasks?status=handled&limit=50'))
      await ok(agent.get('/tasks/search?query=refund'))
    }),
    every(3_000, () => ok(person.get('/statistics'))),
    // A browser that connects and disconnects.
    every(1_000, async () => {
      const { workspaceId, owner } = workspace
      const reader = await openInboxReader({ url, workspaceId, cookie: owner.cookie })
      await sleep(500)
      await reader.close()
    }),
    // An agent that connects, receives its answer and disconnects.
    every(700, async () => {
      const session = await openMcpSession(url, workspace.apiKey)
      const stream = await session.stream()
      const { structuredContent } = await session.call('send_to_human', taskPayload({ delivery: 'sse' }))
      await ok(person.post(`/tasks/${structuredContent.taskId}/mark-done`))
      await stream.first(1, 20_000)
      await stream.close()
      await session.end()
    }),
  ]
  return {
    calls: () => calls,
    async stop(): Promise<{ odd: string[] }> {
      going = false
      await Promise.all(running)
      return { odd }
    },
  }
}
