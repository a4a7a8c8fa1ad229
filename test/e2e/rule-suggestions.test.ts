import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agreementAtLeast } from '../../src/contract/rules/agreement-bound.ts'
import type { Backtest } from '../../src/contract/rules/rule.ts'
import { type HandledTask, insertHandled } from '../support/handled-tasks.ts'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'
import { query } from '../support/sql.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const insert = ({ workspaceId }: TestWorkspace, tasks: HandledTask[]) =>
  insertHandled(service.databaseUrl, workspaceId, tasks)

/** Oldest first, over the last days, so that the last one is the newest. */
const overDays = (days: number, tasks: HandledTask[]): HandledTask[] =>
  tasks.map((task, i) => ({ ...task, daysAgo: days * (1 - i / tasks.length) }))

describe('a backtest compares what a rule would have answered with what people answered', () => {
  const pair = { app: 'shop', type: 'refund-approval' }
  let acme: TestWorkspace
  let ids: string[]
  const refund = (amount: number, more: HandledTask = {}): HandledTask => ({
    ...pair,
    version: '2.0',
    context: { data: { amount, customer: { tier: amount % 2 ? 'gold' : 'new' } } },
    ...more,
  })
  beforeAll(async () => {
    acme = await service.workspace()
    ids = await insert(
      acme,
      overDays(10, [
        ...Array.from({ length: 20 }, (_, i) => refund(i, { version: '1.0' })),
        refund(30, { version: '1.0', actionId: 'reject', data: { reason: 'Too late' } }),
        ...Array.from({ length: 60 }, (_, i) => refund(i % 40, { version: '1.1' })),
        ...Array.from({ length: 30 }, () => refund(90, { actionId: 'reject' })),
        refund(12, { decidedBy: 'timeout' }),
        refund(10, { actions: [{ id: 'approve', title: 'Approve' }] }),
        ...Array.from({ length: 5 }, () => refund(20)),
        refund(25, {
          actionId: 'service:reject-request',
          actionTitle: 'Reject task',
          data: { feedback: 'x' },
        }),
        ...Array.from({ length: 7 }, () => refund(20)),
      ]),
    )
  })
  const backtest = (input: object) =>
    acme.owner.post('/rules/backtest', { ...pair, answer: { actionId: 'approve' }, ...input })
  const atMost40 = [{ field: 'amount', is: 'atMost', value: 40 }]

  test('with the exact figures, per version, and every task that disagrees', async () => {
    const { status, body } = await backtest({ when: atMost40 })
    expect(status, JSON.stringify(body)).toBe(200)
    const { disagreements, perDay, ...figures } = body as Backtest
    expect(figures).toEqual({
      answers: 125,
      otherActions: 1,
      matching: 94,
      agreed: 92,
      atLeast: agreementAtLeast(92, 94),
      versions: [
        { version: '2.0', matching: 13, agreedInRow: 7, passes: false },
        { version: '1.1', matching: 60, agreedInRow: 60, passes: true },
        { version: '1.0', matching: 21, agreedInRow: 0, passes: false },
      ],
    })
    expect(perDay).toBeCloseTo(9.4, 1)
    expect(disagreements).toEqual([
      expect.objectContaining({ taskId: ids[118], version: '2.0', actionTitle: 'Reject task' }),
      {
        taskId: ids[20],
        name: 'Refund?',
        version: '1.0',
        at: expect.any(String),
        actionTitle: 'Reject',
        handledBy: 'mara@example.com',
      },
    ])
  })

  test.each([
    ['all tasks', [], 124, 92],
    ['a nested field', [{ field: 'customer.tier', is: 'equals', value: 'gold' }], 41, 40],
    ['a field that no task has', [{ field: 'missing', is: 'present' }], 0, 0],
  ])('conditions: %s', async (_, when, matching, agreed) => {
    expect((await backtest({ when })).body).toMatchObject({ matching, agreed })
  })

  test('exact versions', async () => {
    expect((await backtest({ when: atMost40, versions: ['1.0'] })).body).toMatchObject({
      matching: 21,
      agreed: 20,
      versions: [{ version: '1.0' }],
    })
  })

  test('an action that tasks do not have, or an answer that does not fit its form, is refused', async () => {
    const unknown = await backtest({ answer: { actionId: 'escalate' } })
    expect(unknown.status).toBe(400)
    expect(unknown.body.errors).toMatchObject([{ path: 'answer.actionId' }])
    const misfit = await backtest({ answer: { actionId: 'reject', data: { reason: 5 } } })
    expect(misfit.status).toBe(400)
    expect(misfit.body.errors).toMatchObject([{ path: 'answer.data.reason' }])
    const noForm = await backtest({ answer: { actionId: 'approve', data: { note: 'Fine' } } })
    expect(noForm.body.errors).toMatchObject([{ path: 'answer.data' }])
  })

  test('another workspace and other people than admins see nothing', async () => {
    const brown = await service.workspace()
    const input = { ...pair, answer: { actionId: 'approve' } }
    expect((await brown.owner.post('/rules/backtest', input)).status).toBe(400)
    const member = await acme.person('member')
    expect((await member.post('/rules/backtest', input)).status).toBe(403)
    expect((await acme.agent.post('/rules/backtest', input)).status).toBe(403)
    expect((await (await acme.person('admin')).post('/rules/backtest', input)).status).toBe(200)
  })
})

describe('some answers say nothing about a rule', () => {
  const pair = { app: 'shop', type: 'quote' }
  const form = {
    type: 'object',
    properties: {
      reply: { type: 'string' },
      urgency: { type: 'string', enum: ['low', 'high'], default: 'low' },
      note: { type: 'string' },
    },
  }
  const actions = [
    {
      id: 'send',
      title: 'Send',
      schema: form,
      ui: { reply: { 'ui:options': { prefill: 'draft' } } },
    },
  ]
  const quote = (data: Record<string, unknown>, more: HandledTask = {}): HandledTask => ({
    ...pair,
    actions,
    actionId: 'send',
    context: { data: { draft: 'Yes' } },
    data,
    ...more,
  })
  const backtest = async (acme: TestWorkspace, data?: object) =>
    (
      await acme.owner.post('/rules/backtest', {
        ...pair,
        answer: { actionId: 'send', ...(data && { data }) },
      })
    ).body as Backtest

  test('free text does not count, but what the form starts with does', async () => {
    const acme = await service.workspace()
    await insert(acme, [
      quote({ reply: 'Yes', urgency: 'low', note: 'checked' }),
      quote({ reply: 'Yes', urgency: 'low' }),
      quote({ reply: 'No', urgency: 'low' }),
      quote({ reply: 'Yes', urgency: 'high' }),
    ])
    expect(await backtest(acme)).toMatchObject({ matching: 4, agreed: 2 })
    expect(await backtest(acme, { urgency: 'high', note: 'by rule' })).toMatchObject({
      matching: 4,
      agreed: 1,
    })
  })

  test('tasks that a rule never answers are left out, and revised ones disagree', async () => {
    const acme = await service.workspace()
    const same = { reply: 'Yes', urgency: 'low' }
    const [, reviewed, ofOne, required, deleted, revised] = await insert(
      acme,
      Array.from({ length: 6 }, () => quote(same)),
    )
    const set = (statement: string, values: unknown[]) => query(service.databaseUrl, statement, values)
    await set('UPDATE tasks SET review = $2 WHERE id = $1', [reviewed, { needed: 2, onDecline: 'collect' }])
    await set('UPDATE tasks SET review = $2 WHERE id = $1', [
      ofOne,
      { needed: 1, requesters: [], onDecline: 'end' },
    ])
    await set('UPDATE task_contents SET sent = $2 WHERE task_id = $1', [required, { requireHuman: true }])
    expect((await acme.owner.delete(`/tasks/${deleted}/content`)).status).toBeLessThan(300)
    await set('UPDATE tasks SET revision = 2 WHERE id = $1', [revised])
    await set(
      `INSERT INTO task_revisions (workspace_id, task_id, revision, name, description, context, actions)
       SELECT workspace_id, task_id, 1, '', '', '{"data":{"draft":"No"}}', actions FROM task_contents WHERE task_id = $1`,
      [revised],
    )
    const result = await backtest(acme)
    expect(result).toMatchObject({ answers: 3, matching: 3, agreed: 2 })
    expect(result.disagreements.map(({ taskId }) => taskId)).toEqual([revised])
    // The rule would have seen the task as it was sent.
    const when = [{ field: 'draft', is: 'equals', value: 'No' }]
    const { body } = await acme.owner.post('/rules/backtest', { ...pair, when, answer: { actionId: 'send' } })
    expect(body).toMatchObject({ matching: 1, agreed: 0 })
  })
})
