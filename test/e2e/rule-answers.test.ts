import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { documentWords } from '../../src/server/storage/tasks/search-words.ts'
import { insertHandled } from '../support/handled-tasks.ts'
import { type InboxReader, openInboxReader, ownerAt } from '../support/inbox-reader.ts'
import { openMcpSession } from '../support/mcp-session.ts'
import { asOwner } from '../support/rows.ts'
import { insertRule } from '../support/rules.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

const ruleId = `rul_${'7'.repeat(26)}`
const otherRuleId = `rul_${'8'.repeat(26)}`

describe('answers by rules stand apart', () => {
  let service: TestService
  let acme: TestWorkspace
  let byRule: string[]
  let byOtherRule: string[]
  let byPerson: string[]

  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    await insertRule(service.databaseUrl, acme.workspaceId, { ruleId })
    const insert = (tasks: Parameters<typeof insertHandled>[2]) =>
      insertHandled(service.databaseUrl, acme.workspaceId, tasks)
    byPerson = await insert([{ app: 'shop' }, { app: 'shop', seconds: 120 }])
    byRule = await insert(
      Array.from({ length: 3 }, (_, i) => ({
        ...{ app: 'shop', decidedBy: 'rule' as const, ruleId, seconds: 0, daysAgo: 0.0001 * (i + 1) },
      })),
    )
    // Its rule has been deleted with a restore of an older backup, for example.
    byOtherRule = await insert([{ app: 'shop', decidedBy: 'rule', ruleId: otherRuleId, seconds: 0 }])
  })
  afterAll(() => service.stop())

  const ids = (body: { tasks: { taskId: string }[] }) => body.tasks.map(({ taskId }) => taskId).sort()

  test('a record names the rule: agents see its id, members also its name', async () => {
    const path = `/tasks/${byRule[0]}`
    const ofAgent = (await acme.agent.get(path)).body
    expect(ofAgent.handled).toMatchObject({
      decidedBy: 'rule',
      handledBy: 'service:rule',
      via: 'rule',
      ruleId,
    })
    expect(ofAgent).not.toHaveProperty('rule')
    for (const more of ['', '?include=context'])
      expect((await acme.owner.get(path + more)).body.rule).toEqual({ ruleId, name: 'Small refunds' })
    const ofUnknown = (await acme.owner.get(`/tasks/${byOtherRule[0]}`)).body
    expect(ofUnknown.handled.ruleId).toBe(otherRuleId)
    expect(ofUnknown).not.toHaveProperty('rule')
    expect((await acme.owner.get(`/tasks/${byPerson[0]}`)).body).not.toHaveProperty('rule')
  })

  test('a model is told that no person answered', async () => {
    const session = await openMcpSession(service.url, acme.apiKey)
    const ofRule = await session.call('get_task', { taskId: byRule[0] })
    expect(ofRule.structuredContent).toMatchObject({ handled: { decidedBy: 'rule', ruleId } })
    expect(ofRule.content[1].text).toMatch(/^A standing rule of the workspace answered, not a person\./)
    const ofPerson = await session.call('get_task', { taskId: byPerson[0] })
    expect(ofPerson.content).toHaveLength(1)
  })

  test('people list and search the answers of one rule, or of all', async () => {
    const list = async (query: string) => (await acme.owner.get(`/tasks?sort=handledAt&${query}`)).body
    expect(ids(await list(''))).toEqual([...byPerson, ...byRule, ...byOtherRule].sort())
    expect(ids(await list(`ruleId=${ruleId}`))).toEqual([...byRule].sort())
    expect((await list(`ruleId=${ruleId}`)).tasks[0].rule).toEqual({ ruleId, name: 'Small refunds' })
    expect(ids(await list('handledBy=service:rule'))).toEqual([...byRule, ...byOtherRule].sort())
    expect(ids(await list(`ruleId=${ruleId}&handledBy=mara@example.com`))).toEqual([])
    expect((await acme.agent.get(`/tasks?ruleId=${ruleId}`)).status).toBe(400)
    const brown = await service.workspace()
    expect(ids((await brown.owner.get(`/tasks?ruleId=${ruleId}`)).body)).toEqual([])

    // By an exact id, and by words.
    const find = async (query: string, rule: string) =>
      ids((await acme.owner.get(`/tasks/search?query=${query}&ruleId=${rule}`)).body)
    expect(await find(byRule[0]!, ruleId)).toEqual([byRule[0]])
    expect(await find(byRule[0]!, otherRuleId)).toEqual([])
    await asOwner(service.databaseUrl, async (client) => {
      await client.query('SET handrail.crossing = on')
      await client.query(
        `INSERT INTO task_search (task_id, workspace_id, created_at, document)
         SELECT id, workspace_id, created_at, array_to_tsvector($2) FROM tasks WHERE workspace_id = $1`,
        [acme.workspaceId, documentWords(acme.workspaceId, 'parcel')],
      )
    })
    expect(await find('parcel', ruleId)).toEqual([...byRule].sort())
    expect(await find('parcel', otherRuleId)).toEqual(byOtherRule)
  })

  test('the timeline names the rule', async () => {
    const { entries } = (await acme.owner.get(`/threads/${byRule[0]}/timeline`)).body
    expect(entries).toMatchObject([
      { kind: 'created' },
      { kind: 'handled', by: 'service:rule', decidedBy: 'rule', ruleId, actionTitle: 'Approve' },
    ])
    expect(entries[0]).not.toHaveProperty('ruleId')
  })

  test('the figures of today are about people', async () => {
    const since = new Date(Date.now() - 3_600_000).toISOString()
    const { taskId } = (await acme.agent.post('/tasks', taskPayload({ app: 'shop' }))).body
    await acme.owner.post(`/tasks/${taskId}/mark-done`, {})
    const { body } = await acme.owner.get(`/inbox/today?since=${since}`)
    expect(body).toMatchObject({ handled: 3, handledByMe: 1, missed: 0, arrived: 3, hasMoreArrivals: false })
    const total = (column: 'arrived' | 'handled') =>
      body.hours.reduce((sum: number, hour: Record<string, number>) => sum + hour[column]!, 0)
    expect([total('arrived'), total('handled')]).toEqual([3, 3])
    expect(body.medianSeconds).toBeGreaterThan(30)
  })

  test('an export says which rule answered', async () => {
    const { body: jsonl } = await acme.owner.get('/export?format=jsonl&handledBy=service:rule')
    const lines = jsonl
      .trimEnd()
      .split('\n')
      .map((line: string) => JSON.parse(line).handled)
    expect(lines).toHaveLength(4)
    for (const handled of lines) expect(handled).toMatchObject({ decidedBy: 'rule', via: 'rule' })
    expect(lines.map((handled: { ruleId: string }) => handled.ruleId).sort()).toEqual([
      ...[ruleId, ruleId, ruleId],
      otherRuleId,
    ])
    const { body: csv } = await acme.owner.get('/export?format=csv')
    const rows = csv.trimEnd().split('\r\n')
    expect(rows[0]).toMatch(/,changedFields,ruleId$/)
    expect(rows.filter((row: string) => row.endsWith(`,"${ruleId}"`))).toHaveLength(3)
    const [entry] = (await acme.owner.get('/audit?action=tasks.exported&limit=2')).body.entries.slice(1)
    expect(entry.details).toMatchObject({ format: 'jsonl', handledBy: 'service:rule' })
  })
})

const actions = [
  { id: 'approve', title: 'Approve' },
  { id: 'decline', title: 'Decline' },
]

describe('a task that a rule answers at once', () => {
  let service: TestService
  let acme: TestWorkspace
  let reader: InboxReader
  let rule: string
  let decided: string[]
  let open: string[]

  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    const task = { app: 'shop', type: 'refund', version: '1', actions, context: { data: { amount: 10 } } }
    // People have agreed often enough with what the rule answers.
    await insertHandled(
      service.databaseUrl,
      acme.workspaceId,
      Array.from({ length: 60 }, () => task),
    )
    const created = await acme.owner.post('/rules', {
      name: 'Small refunds',
      app: 'shop',
      type: 'refund',
      answer: { actionId: 'approve' },
      sample: 0.05,
      until: new Date(Date.now() + 86_400_000).toISOString(),
    })
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    rule = created.body.ruleId
    reader = await openInboxReader(ownerAt(service.url, acme))
    const sent = Array.from({ length: 20 }, (_, order) => ({
      ...{ app: 'shop', version: '1', actions, context: { data: { amount: 10, order } } },
      task: { type: 'refund', name: `Refund order ${order}?`, description: 'It came back.' },
    }))
    const { body } = await acme.agent.post('/tasks/batch', { tasks: sent })
    const ids: string[] = body.results.map((result: { task: { taskId: string } }) => result.task.taskId)
    const last = await acme.agent.post('/tasks', { ...sent[0], requireHuman: true })
    const records = await Promise.all(
      [...ids, last.body.taskId].map(async (id) => (await acme.agent.get(`/tasks/${id}`)).body),
    )
    const idsOf = (status: string) =>
      records.filter((record) => record.status === status).map(({ taskId }) => taskId)
    decided = idsOf('handled')
    open = idsOf('open')
  })
  afterAll(async () => {
    await reader?.close()
    await service.stop()
  })

  test('is in no inbox and no stream; one that requires a human is', async () => {
    expect(decided.length).toBeGreaterThan(10)
    // The one that requires a human was sent last.
    await vi.waitFor(() => expect(reader.seen.at(-1)?.event.taskId).toBe(open.at(-1)), waitOptions)
    const listed = reader.seen.map(({ event }) => event)
    expect(new Set(listed.map(({ type }) => type))).toEqual(new Set(['service/task_created']))
    expect(listed.map(({ taskId }) => taskId).sort()).toEqual([...open].sort())
    const { rows } = (await acme.owner.get('/inbox')).body
    expect(rows.map(({ taskId }: { taskId: string }) => taskId).sort()).toEqual([...open].sort())
  })

  test('is counted by metrics, and audited without an actor', async () => {
    const { registry } = service.app.service.metrics
    expect(await registry.getSingleMetricAsString('handrail_rule_answers_total')).toContain(
      `handrail_rule_answers_total ${decided.length}`,
    )
    const { entries } = (await acme.owner.get(`/audit?subject=${decided[0]}`)).body
    const handled = entries.find(({ action }: { action: string }) => action === 'task.handled')
    expect(handled).toMatchObject({ actor: 'service', details: { actionId: 'approve', ruleId: rule } })
  })

  test('keeps its rule and its place in the statistics when its content is deleted', async () => {
    const rules = async () => (await acme.owner.get('/statistics?app=shop&type=refund')).body.rules
    expect(await rules()).toBe(decided.length)
    expect((await acme.owner.delete(`/tasks/${decided[0]}/content`)).status).toBe(204)
    const { body } = await acme.owner.get(`/tasks/${decided[0]}?include=context,actions`)
    expect(body).toMatchObject({ name: '', rule: { ruleId: rule }, handled: { ruleId: rule, data: {} } })
    expect(body).not.toHaveProperty('context')
    expect(await rules()).toBe(decided.length)
    const [{ stored }] = (await query(
      service.databaseUrl,
      "SELECT string_agg(body::text, ' ') AS stored FROM events WHERE task_id = $1",
      [decided[0]],
    )) as [{ stored: string }]
    expect(stored).toContain(rule)
    expect(stored).not.toContain('Refund order')
  })
})
