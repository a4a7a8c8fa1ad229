import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMcpSession } from '../support/mcp-session.ts'
import { startReceiver } from '../support/receiver.ts'
import { createRule, insertAgreement, refundTask } from '../support/refunds.ts'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'
import { query } from '../support/sql.ts'

let service: TestService
let acme: TestWorkspace
let channel: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  channel = await startReceiver()
  service = await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.1/32' })
  acme = await service.workspace()
  await insertAgreement(service, acme)
  await acme.owner.put('/notifications/chat', { url: channel.url, for: 'all' })
})
afterAll(async () => {
  await service.stop()
  await channel.stop()
})

/** Everything that people, agents and other programs can see of an open task. */
async function seen(taskId: string): Promise<Record<string, unknown>> {
  const mara = await acme.person('member')
  const includes = 'context,actions,updates,revisions'
  const session = await openMcpSession(service.url, acme.apiKey)
  const overMcp = await session.call('get_task', { taskId })
  const isIt = (row: { taskId: string }) => row.taskId === taskId
  return {
    agent: (await acme.agent.get(`/tasks/${taskId}?include=${includes}`)).body,
    member: (await mara.get(`/tasks/${taskId}?include=${includes},sent,review,notes,threadTasks,snooze`))
      .body,
    owner: (await acme.owner.get(`/tasks/${taskId}?include=${includes},sent,review,notes`)).body,
    list: (await acme.agent.get('/tasks?limit=100')).body.tasks.find(isIt),
    inbox: (await mara.get('/inbox?limit=200')).body.rows.find(isIt),
    thread: await query(
      service.databaseUrl,
      'SELECT open_count, rank, waiting_count FROM threads WHERE id = $1',
      [taskId],
    ),
    timeline: (await mara.get(`/threads/${taskId}/timeline`)).body,
    deliveries: (await acme.owner.get(`/deliveries?taskId=${taskId}`)).body,
    audit: (await acme.owner.get(`/audit?subject=${taskId}`)).body.entries,
    overMcp,
    events: await query(service.databaseUrl, 'SELECT type, body FROM events WHERE task_id = $1 ORDER BY id', [
      taskId,
    ]),
    stored: await query(
      service.databaseUrl,
      "SELECT to_jsonb(t) - '{created_xid}'::text[] AS row FROM tasks t WHERE id = $1",
      [taskId],
    ),
    chat: channel.received.filter(({ body }) => body.includes(taskId)).map(({ body }) => body),
  }
}

/** Everything about the task has been sent, and the delivery log says so. */
const waitUntilDelivered = (taskId: string) =>
  expect
    .poll(async () =>
      (await acme.owner.get(`/deliveries?taskId=${taskId}`)).body.deliveries.map(
        ({ state }: { state: string }) => state,
      ),
    )
    .toEqual(['delivered'])

/** Without ids and times, which differ between any two tasks. */
function comparable(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replace(/\b(tsk|evt|dlv|aud|upd|usr)_[0-9a-z]{26}/g, '$1_x')
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})/g, 'time')
    .replace(/"(durationMilliseconds|number|cursor|id)":\d+/g, '"$1":0')
  return JSON.parse(text)
}

test('an open sample equals a task that no rule matches, wherever one looks', async () => {
  const { ruleId } = await createRule(acme.owner, { sample: 1 })
  // The same order, because everything else has to be the same.
  const body = refundTask({ priority: 'high', metadata: { ticket: 7 } })
  const sampled = (await acme.agent.post('/tasks', body)).body.taskId
  const samples = await query(service.databaseUrl, 'SELECT kind FROM rule_samples WHERE task_id = $1', [
    sampled,
  ])
  expect(samples).toEqual([{ kind: 'sample' }])
  await waitUntilDelivered(sampled)
  const before = await seen(sampled)

  expect((await acme.owner.patch(`/rules/${ruleId}`, { state: 'paused' })).status).toBe(200)
  const unmatched = (await acme.agent.post('/tasks', body)).body.taskId
  expect(
    await query(service.databaseUrl, 'SELECT FROM rule_samples WHERE task_id = $1', [unmatched]),
  ).toEqual([])
  await waitUntilDelivered(unmatched)
  const after = await seen(unmatched)

  for (const [where, what] of Object.entries(before))
    expect(comparable(what), where).toEqual(comparable(after[where]))
  expect(JSON.stringify(before)).not.toContain(ruleId)
  expect([before.inbox, before.list]).not.toContain(undefined)
  expect(before.chat).toHaveLength(1)
  expect(JSON.stringify([before.thread, before.timeline])).not.toMatch(/\[\]|not_found/)
})

test('the page of the rule names no open sample', async () => {
  // Of two rules that match, the older one draws.
  for (const { ruleId } of (await acme.owner.get('/rules')).body.rules)
    await acme.owner.patch(`/rules/${ruleId}`, { state: 'ended' })
  const { ruleId } = await createRule(acme.owner, { sample: 1, name: 'Another' })
  const { taskId } = (await acme.agent.post('/tasks', refundTask())).body
  const rule = JSON.stringify((await acme.owner.get(`/rules/${ruleId}`)).body)
  expect(JSON.parse(rule)).toMatchObject({ samples: { open: 1 } })
  expect(rule).not.toContain(taskId)
})
