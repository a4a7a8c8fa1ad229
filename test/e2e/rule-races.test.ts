import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentAt, personAt, startNodes } from '../support/nodes.ts'
import { createRule, insertAgreement, refundTask, waitForRule } from '../support/refunds.ts'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'
import { query } from '../support/sql.ts'

describe('a rule on two nodes', () => {
  let service: TestService
  let node: TestService
  let nodes: { url: string }[]
  beforeAll(async () => {
    service = await startService()
    node = await startService({ DATABASE_URL: service.databaseUrl })
    nodes = [service, node]
  })
  afterAll(async () => {
    await node?.stop()
    await service?.stop()
  })

  type Stored = {
    id: string
    status: string
    ruleId: string | null
    createdAt: Date
    handled: number
    samples: number
  }
  const readTasks = ({ workspaceId }: TestWorkspace) =>
    query<Stored>(
      service.databaseUrl,
      `SELECT id, status, rule_id AS "ruleId", created_at AS "createdAt",
        (SELECT count(*)::int FROM events e WHERE e.task_id = tasks.id AND e.type = 'service/task_handled') AS handled,
        (SELECT count(*)::int FROM rule_samples s WHERE s.task_id = tasks.id) AS samples
       FROM tasks WHERE workspace_id = $1 AND name = 'Refund €10?'`,
      [workspaceId],
    )

  /** Agents send at both nodes until `stop`. Returns the ids that were acknowledged. */
  function burst(workspace: TestWorkspace, urls: () => string[]) {
    const acknowledged: string[] = []
    let isRunning = true
    const agents = Array.from({ length: 4 }, async (_, n) => {
      while (isRunning) {
        const at = urls()
        try {
          const { status, body } = await agentAt(at[n % at.length]!, workspace).post('/tasks', refundTask())
          if (status === 201) acknowledged.push(body.taskId)
        } catch {
          // The node was killed: nothing was acknowledged.
        }
      }
    })
    return {
      acknowledged,
      async stop() {
        isRunning = false
        await Promise.all(agents)
        return acknowledged
      },
    }
  }

  test('decides nothing after its pause was acknowledged, during a burst', async () => {
    for (const pause of ['pause', 'pause-all'] as const) {
      const workspace = await service.workspace()
      await insertAgreement(service, workspace)
      const { ruleId } = await createRule(workspace.owner)
      const agents = burst(workspace, () => nodes.map(({ url }) => url))
      await expect.poll(() => agents.acknowledged.length).toBeGreaterThan(30)
      const owner = personAt(nodes[0]!.url, workspace, workspace.owner)
      const paused =
        pause === 'pause'
          ? await owner.patch(`/rules/${ruleId}`, { state: 'paused' })
          : await owner.post('/rules/pause-all', {})
      expect(paused.status, JSON.stringify(paused.body)).toBe(200)
      const [{ now }] = (await query<{ now: Date }>(service.databaseUrl, 'SELECT now()')) as [{ now: Date }]
      const before = agents.acknowledged.length
      await expect.poll(() => agents.acknowledged.length).toBeGreaterThan(before + 30)
      const acknowledged = await agents.stop()
      const tasks = await readTasks(workspace)
      const late = tasks.filter((task) => task.ruleId !== null && task.createdAt > now)
      expect(late).toEqual([])
      expect(tasks.filter((task) => task.ruleId !== null).length).toBeGreaterThan(10)
      expect(tasks.filter((task) => task.status === 'open' && task.createdAt > now).length).toBeGreaterThan(
        15,
      )
      const ids = new Set(tasks.map(({ id }) => id))
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
    }
  })

  test('loses nothing acknowledged and decides nothing twice when a node is killed', async () => {
    const workspace = await service.workspace()
    await insertAgreement(service, workspace)
    await createRule(workspace.owner)
    const killed = (await startNodes(service.databaseUrl, 1))[0]!
    const urls = [service.url, killed.url]
    const agents = burst(workspace, () => urls)
    await expect.poll(() => agents.acknowledged.length).toBeGreaterThan(30)
    await killed.kill()
    urls.pop()
    const before = agents.acknowledged.length
    await expect.poll(() => agents.acknowledged.length).toBeGreaterThan(before + 20)
    const acknowledged = await agents.stop()
    const tasks = new Map((await readTasks(workspace)).map((task) => [task.id, task]))
    expect(acknowledged.filter((id) => !tasks.has(id))).toEqual([])
    for (const { id, status, ruleId, handled, samples } of tasks.values()) {
      const expected =
        ruleId === null ? { status: 'open', handled: 0 } : { status: 'handled', handled: 1, samples: 0 }
      expect({ id, status, handled, samples }).toMatchObject(expected)
    }
  })

  test('judges each sample once, whichever node does it', async () => {
    const workspace = await service.workspace()
    await insertAgreement(service, workspace)
    const { ruleId } = await createRule(workspace.owner, { sample: 1 })
    const agent = agentAt(nodes[0]!.url, workspace)
    const ids = await Promise.all(
      Array.from({ length: 9 }, async () => (await agent.post('/tasks', refundTask())).body.taskId as string),
    )
    await Promise.all(
      ids.map((id, n) =>
        personAt(nodes[n % 2]!.url, workspace, workspace.owner).post(`/tasks/${id}/handle`, {
          actionId: 'approve',
        }),
      ),
    )
    const rule = await waitForRule(workspace.owner, ruleId, {
      samples: { answered: 9, agreed: 9, open: 0 },
    })
    expect(rule.judged).toHaveLength(9)
  })

  test('a rule that is edited at two nodes at once has the conditions of one of them, and what was changed is audited', async () => {
    const workspace = await service.workspace()
    await insertAgreement(service, workspace)
    const { ruleId } = await createRule(workspace.owner)
    const results = await Promise.all(
      [1, 2].map((value) =>
        personAt(nodes[value - 1]!.url, workspace, workspace.owner).patch(`/rules/${ruleId}`, {
          when: [{ field: 'amount', is: 'atMost', value }],
        }),
      ),
    )
    const statuses = results.map(({ status }) => status).sort()
    expect([
      [200, 200],
      [200, 409],
    ]).toContainEqual(statuses)
    const { when, history } = await waitForRule(workspace.owner, ruleId, {})
    expect(results.filter(({ status }) => status === 200).map(({ body }) => body.when)).toContainEqual(when)
    const changes = history.filter(({ action }: { action: string }) => action === 'rule.changed')
    expect(changes).toHaveLength(statuses.filter((status) => status === 200).length)
  })
})
