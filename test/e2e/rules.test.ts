import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { insertHandled } from '../support/handled-tasks.ts'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

const actions = [
  { id: 'approve', title: 'Approve' },
  { id: 'decline', title: 'Decline', schema: { type: 'object', properties: { why: { type: 'string' } } } },
]
const pair = { app: 'shop', type: 'refund' }
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** 60 answers of people in a row that agree, so that a rule answers tasks of version 1 at once. */
async function history(
  service: TestService,
  { workspaceId }: TestWorkspace,
  more: object = {},
): Promise<void> {
  const task = {
    ...pair,
    actions,
    actionId: 'approve',
    version: '1',
    context: { data: { amount: 10 } },
    ...more,
  }
  await insertHandled(
    service.databaseUrl,
    workspaceId,
    Array.from({ length: 60 }, () => task),
  )
}

describe('a standing rule', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    await history(service, acme)
  })
  afterAll(() => service.stop())

  let sent = 0
  const send = async (more: object = {}, amount = 10) => {
    sent += 1
    const { body, status } = await acme.agent.post('/tasks', {
      ...pair,
      version: '1',
      task: { name: `Refund ${sent}`, description: 'Is this right?' },
      context: { data: { amount, order: sent } },
      actions,
      ...more,
    })
    expect(status, JSON.stringify(body)).toBe(201)
    return (await acme.agent.get(`/tasks/${body.taskId}`)).body
  }
  const create = async (more: object = {}) => {
    const { body, status } = await acme.owner.post('/rules', {
      name: 'Small refunds',
      ...pair,
      when: [{ field: 'amount', is: 'atMost', value: 40 }],
      answer: { actionId: 'approve' },
      until: inDays(30),
      ...more,
    })
    expect(status, JSON.stringify(body)).toBe(201)
    return body
  }

  test('answers matching tasks at once, with both events, and nothing else', async () => {
    const rule = await create({ sample: 0.05 })
    expect(rule).toMatchObject({
      state: 'active',
      newVersions: [{ version: '1', agreedInRow: 60, passedAt: expect.any(String) }],
    })
    const records = []
    for (let n = 0; n < 20; n++) records.push(await send())
    const decided = records.filter(({ status }) => status === 'handled')
    expect(decided.length).toBeGreaterThan(10)
    expect(decided[0].handled).toEqual({
      actionId: 'approve',
      actionTitle: 'Approve',
      data: {},
      handledBy: 'service:rule',
      handledAt: decided[0].createdAt,
      decidedBy: 'rule',
      ruleId: rule.ruleId,
      via: 'rule',
      revision: 1,
    })
    const events = await query(
      service.databaseUrl,
      'SELECT type, body FROM events WHERE task_id = $1 ORDER BY epoch, xid, id',
      [decided[0].taskId],
    )
    expect(events.map(({ type }) => type)).toEqual(['service/task_created', 'service/task_handled'])
    expect(events[1]!.body).toMatchObject({
      decidedBy: 'rule',
      ruleId: rule.ruleId,
      handledBy: 'service:rule',
    })
    expect((await send({}, 41)).status).toBe('open')
    expect((await send({ requireHuman: true })).status).toBe('open')
    expect((await send({ version: '2' })).status).toBe('open')
    await vi.waitFor(async () => {
      const { body } = await acme.owner.get(`/rules/${rule.ruleId}`)
      expect(body.answered).toMatchObject({ total: decided.length })
    }, waitOptions)
  })
})
