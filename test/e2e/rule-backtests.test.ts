import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { agreementAtLeast } from '../../src/contract/rules/agreement-bound.ts'
import type { Backtest } from '../../src/contract/rules/rule.ts'
import { readPastAnswers } from '../../src/server/domain/rules/past-answers.ts'
import type { Database } from '../../src/server/storage/engine/database.ts'
import { type HandledTask, insertHandled, overDays } from '../support/handled-tasks.ts'
import { inAnHour, startService, type TestService, type TestWorkspace } from '../support/service.ts'
import { query } from '../support/sql.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const insert = ({ workspaceId }: TestWorkspace, tasks: HandledTask[]) =>
  insertHandled(service.databaseUrl, workspaceId, tasks)

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

  /** Answers are read by one request at a time. This one is held until `end` is called. */
  function holdReading() {
    let end = () => {}
    const held = new Promise<never[]>((resolve) => {
      end = () => resolve([])
    })
    const database = { inWorkspace: () => held } as unknown as Database
    const { signal } = new AbortController()
    const reading = readPastAnswers(database, acme.workspaceId, pair, signal).next()
    return { end, reading }
  }

  test('behind ten others is refused, and works when they are done', async () => {
    const { end, reading } = holdReading()
    const statuses: number[] = []
    const backtests = Array.from({ length: 11 }, async () => {
      const { status, headers } = await backtest({})
      statuses.push(status)
      if (status === 503) expect(headers.get('retry-after')).toBe('5')
    })
    await expect.poll(() => statuses).toEqual([503])
    end()
    await Promise.all([reading, ...backtests])
    expect(statuses.slice(1)).toEqual(Array(10).fill(200))
    expect((await backtest({})).status).toBe(200)
  })

  test('nothing is created for a caller who disconnects while waiting for others', async () => {
    const { end, reading } = holdReading()
    const info = vi.spyOn(service.app.service.log, 'info')
    const error = vi.spyOn(service.app.service.log, 'error')
    const rule = {
      ...pair,
      name: 'Small',
      when: atMost40,
      answer: { actionId: 'approve' },
      until: inAnHour(),
    }
    const created = fetch(`${service.url}/api/v1/rules`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: acme.owner.cookie,
        origin: service.url,
        'handrail-workspace': acme.workspaceId,
      },
      body: JSON.stringify(rule),
      signal: AbortSignal.timeout(300),
    })
    await expect(created).rejects.toThrow()
    const logged = expect.objectContaining({ path: '/api/v1/rules', status: 409 })
    await expect.poll(() => info).toHaveBeenCalledWith(logged, 'request')
    expect(error).not.toHaveBeenCalled()
    vi.restoreAllMocks()
    end()
    await reading
    expect((await acme.owner.get('/rules')).body.rules).toEqual([])
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
    expect(result).toMatchObject({ answers: 2, matching: 2, agreed: 1 })
    expect(result.disagreements.map(({ taskId }) => taskId)).toEqual([revised])
    // The rule would have seen the task as it was sent.
    const when = [{ field: 'draft', is: 'equals', value: 'No' }]
    const { body } = await acme.owner.post('/rules/backtest', { ...pair, when, answer: { actionId: 'send' } })
    expect(body).toMatchObject({ matching: 1, agreed: 0 })
  })
})

test('the rule in the documentation can be backtested and created', async () => {
  const docs = readFileSync(new URL('../../docs/standing-rules.md', import.meta.url), 'utf8')
  const rule = { ...JSON.parse(docs.match(/```json\n(.*?)```/s)![1]!), until: inAnHour() }
  const acme = await service.workspace()
  const refund = (amount: number, parcel: string): HandledTask => ({
    app: 'shop',
    type: 'refund-approval',
    context: { data: { refund: { amount }, parcel } },
  })
  await insert(acme, [
    refund(40, 'scanned'),
    refund(12, 'received'),
    refund(41, 'scanned'),
    refund(5, 'lost'),
  ])
  const { app, type, when, answer } = rule
  const backtest = await acme.owner.post('/rules/backtest', { app, type, when, answer })
  expect(backtest.body).toMatchObject({ answers: 4, matching: 2, agreed: 2 })
  const created = await acme.owner.post('/rules', rule)
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  expect(created.body).toMatchObject(rule)
})
