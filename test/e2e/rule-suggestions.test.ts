import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agreementAtLeast } from '../../src/contract/rules/agreement-bound.ts'
import type { RuleSuggestions } from '../../src/contract/rules/rule.ts'
import { createRandom } from '../../src/server/domain/demo/random.ts'
import { type HandledTask, insertHandled, overDays } from '../support/handled-tasks.ts'
import { inAnHour, startService, type TestService, type TestWorkspace } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const insert = ({ workspaceId }: TestWorkspace, tasks: HandledTask[]) =>
  insertHandled(service.databaseUrl, workspaceId, tasks)

describe('rules are suggested from what people answered', () => {
  const suggestions = async (
    { owner }: TestWorkspace,
    { app, type }: { app: string; type: string },
  ): Promise<RuleSuggestions> => {
    const { status, body } = await owner.get(`/rules/suggestions?app=${app}&type=${type}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }

  describe('where small amounts are always approved', () => {
    const pair = { app: 'shop', type: 'refund-approval' }
    const random = createRandom(5)
    const tasks: HandledTask[] = Array.from({ length: 400 }, (_, i) => {
      const amount = 1 + Math.floor(60 * random.next())
      const data = {
        order: { amount, id: `order-${i}`, placed: 1_700_000_000 + i },
        tier: random.pick(['a', 'b']),
      }
      return { ...pair, context: { data }, actionId: amount <= 40 ? 'approve' : 'reject' }
    })
    const amountOf = ({ context }: HandledTask) =>
      (context as { data: { order: { amount: number } } }).data.order.amount
    let acme: TestWorkspace
    beforeAll(async () => {
      acme = await service.workspace()
      await insert(acme, overDays(20, tasks))
    })

    test('approving them is suggested, with the figures of the newest third', async () => {
      const covered = tasks.slice(-133).filter((task) => amountOf(task) <= 40).length
      const found = await suggestions(acme, pair)
      expect(found).toEqual({
        answers: 400,
        needed: 200,
        suggestions: [
          {
            name: 'Approve refund-approval when order.amount is at most 40',
            when: [{ field: 'order.amount', is: 'atMost', value: 40 }],
            answer: { actionId: 'approve', actionTitle: 'Approve' },
            covered,
            considered: 133,
            agreed: covered,
            atLeast: agreementAtLeast(covered, covered),
            candidates: 1,
            allowedDisagreement: 1 - agreementAtLeast(covered, covered),
            perDay: expect.closeTo(covered / (20 / 3), 0),
            disagreements: [],
          },
        ],
      })
      const [{ when, answer }] = found.suggestions as [RuleSuggestions['suggestions'][number]]
      const { body } = await acme.owner.post('/rules/backtest', {
        ...pair,
        when,
        answer: { actionId: answer.actionId },
      })
      const all = tasks.filter((task) => amountOf(task) <= 40).length
      expect(body).toMatchObject({ matching: all, agreed: all })
    })

    test('not if a rule already answers them, or is paused', async () => {
      const when = [{ field: 'order.amount', is: 'atMost', value: 40 }]
      const rule = { ...pair, name: 'Small ones', when, answer: { actionId: 'approve' }, until: inAnHour() }
      const { status, body } = await acme.owner.post('/rules', rule)
      expect(status, JSON.stringify(body)).toBe(201)
      const small = tasks.filter((task) => amountOf(task) <= 40).length
      expect(await suggestions(acme, pair)).toEqual({ answers: 400 - small, needed: 200, suggestions: [] })
      await acme.owner.patch(`/rules/${body.ruleId}`, { state: 'paused' })
      expect((await suggestions(acme, pair)).suggestions).toEqual([])
      await acme.owner.patch(`/rules/${body.ruleId}`, { state: 'ended' })
      expect((await suggestions(acme, pair)).suggestions).toMatchObject([{ when }])
    })

    test('only admins see it, and no other workspace', async () => {
      const path = `/rules/suggestions?app=${pair.app}&type=${pair.type}`
      expect((await (await acme.person('member')).get(path)).status).toBe(403)
      expect((await acme.agent.get(path)).status).toBe(403)
      expect((await (await acme.person('admin')).get(path)).body.suggestions).toHaveLength(1)
      const brown = await service.workspace()
      expect(await suggestions(brown, pair)).toEqual({ answers: 0, needed: 200, suggestions: [] })
    })
  })

  test('with every task in which people disagreed', async () => {
    const acme = await service.workspace()
    const pair = { app: 'shop', type: 'restock' }
    const tasks = Array.from(
      { length: 900 },
      (_, i): HandledTask => ({
        ...pair,
        context: { data: { shelf: i % 9 } },
        actionId: i === 700 || i === 850 ? 'reject' : 'approve',
      }),
    )
    const ids = await insert(acme, overDays(30, tasks))
    const found = await suggestions(acme, pair)
    expect(found.suggestions).toMatchObject([{ when: [], covered: 300, agreed: 298 }])
    expect(found.suggestions[0]!.disagreements.map(({ taskId }) => taskId)).toEqual([ids[850], ids[700]])
  })

  test('coin flips give none, and neither do 199 answers or answers to other actions', async () => {
    const acme = await service.workspace()
    for (const seed of [1, 2, 3]) {
      const random = createRandom(seed)
      const pair = { app: 'coin', type: `flip-${seed}` }
      await insert(
        acme,
        overDays(
          30,
          Array.from(
            { length: 400 },
            (): HandledTask => ({
              ...pair,
              context: { data: { amount: Math.floor(100 * random.next()), side: random.pick(['a', 'b']) } },
              actionId: random.pick(['approve', 'reject']),
            }),
          ),
        ),
      )
      expect(await suggestions(acme, pair)).toMatchObject({ answers: 400, suggestions: [] })
    }
    const few = { app: 'shop', type: 'few' }
    const same = (count: number, more: HandledTask = {}) =>
      Array.from({ length: count }, () => ({ ...few, ...more }))
    await insert(acme, same(300, { actions: [{ id: 'approve', title: 'Approve' }], daysAgo: 5 }))
    await insert(acme, same(199))
    expect(await suggestions(acme, few)).toEqual({ answers: 199, needed: 200, suggestions: [] })
    await insert(acme, same(1))
    expect((await suggestions(acme, few)).suggestions).toMatchObject([{ when: [], covered: 66, agreed: 66 }])
  })
})
