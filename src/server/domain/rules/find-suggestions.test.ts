import { expect, test } from 'vitest'
import { agreementAtLeast } from '../../../contract/rules/agreement-bound.ts'
import { matchesConditions } from '../../../contract/rules/matches-conditions.ts'
import type { RuleSuggestion } from '../../../contract/rules/rule.ts'
import { complete } from '../../lib/event-loop.ts'
import type { StoredAction } from '../../storage/engine/task-tables.ts'
import { createRandom, type Random } from '../demo/random.ts'
import { answerToReproduce } from './answer-to-reproduce.ts'
import { findSuggestions } from './find-suggestions.ts'
import { createPastAnswerTable } from './past-answer-table.ts'
import type { PastAnswer } from './past-answers.ts'

const now = new Date('2026-11-15T12:00:00.000Z')
const approveOrReject: StoredAction[] = [
  { id: 'approve', title: 'Approve' },
  { id: 'reject', title: 'Reject', schema: { type: 'object', properties: { reason: { type: 'string' } } } },
]
type Given = { data: Record<string, unknown>; actionId?: string; answer?: Record<string, unknown> }

/** Answers over 30 days; 0 is the oldest. */
function suggest(
  n: number,
  give: (i: number) => Given,
  actions = approveOrReject,
): { suggestions: RuleSuggestion[]; newest: Given[] } {
  const table = createPastAnswerTable()
  const all = Array.from({ length: n }, (_, i) => give(i))
  for (let i = n - 1; i >= 0; i--) {
    const { data, actionId = 'approve', answer = {} } = all[i]!
    const past: PastAnswer = {
      taskId: `task ${i}`,
      name: `Task ${i}`,
      version: '',
      endedAt: new Date(now.getTime() - (30 * 86_400_000 * (n - i)) / n),
      handledBy: 'mara@example.com',
      actionTitle: actionId,
      isRevised: false,
      actionsDigest: '',
      actionId,
      answer,
      contextData: data,
      actions,
    }
    table.add(past, answerToReproduce(past, actions))
  }
  const options = { type: 'refund', now, actions, fits: () => true }
  return {
    suggestions: complete(findSuggestions(complete(table.finish()), options)),
    newest: all.slice(n - Math.floor(n / 3)),
  }
}

const whole = (random: Random, below: number) => Math.floor(random.next() * below)

test('a threshold, with the figures of the newest third', () => {
  const random = createRandom(1)
  const { suggestions, newest } = suggest(600, () => {
    const amount = 1 + whole(random, 60)
    const data = { amount, region: random.pick(['EU', 'US']), orderId: `order ${random.next()}` }
    return { data, actionId: amount <= 40 ? 'approve' : 'reject' }
  })
  const covered = newest.filter(({ data }) => (data.amount as number) <= 40).length
  expect(suggestions).toMatchObject([
    {
      name: 'Approve refund when amount is at most 40',
      when: [{ field: 'amount', is: 'atMost', value: 40 }],
      answer: { actionId: 'approve', actionTitle: 'Approve' },
      covered,
      agreed: covered,
      considered: 200,
      disagreements: [],
    },
  ])
  const [{ atLeast, candidates, allowedDisagreement, perDay, answer }] = suggestions as [RuleSuggestion]
  expect(atLeast).toBe(agreementAtLeast(covered, covered, 0.05 / candidates))
  expect(allowedDisagreement).toBe(1 - atLeast)
  expect(perDay).toBeCloseTo(covered / 10, 0)
  expect(answer).not.toHaveProperty('data')
})

test('conditions that help only together, of nested fields and several values', () => {
  const random = createRandom(2)
  const { suggestions } = suggest(3_000, () => {
    const amount = 1 + whole(random, 100)
    const country = random.pick(['AT', 'DE', 'CH', 'US', 'BR'])
    const isScanned = random.chance(0.7)
    const isFine = amount <= 60 && ['AT', 'DE', 'CH'].includes(country) && isScanned
    const data = { amount, customer: { country }, isScanned, weight: whole(random, 30), note: 'short' }
    return { data, actionId: isFine || random.chance(0.5) ? 'approve' : 'reject' }
  })
  expect(suggestions[0]!.when).toHaveLength(3)
  expect(suggestions[0]!.when).toEqual(
    expect.arrayContaining([
      { field: 'customer.country', is: 'oneOf', value: ['AT', 'CH', 'DE'] },
      { field: 'isScanned', is: 'equals', value: true },
      { field: 'amount', is: 'atMost', value: expect.any(Number) },
    ]),
  )
})

test('no condition where people nearly always answer the same, with every disagreeing task', () => {
  const { suggestions } = suggest(3_000, (i) => ({
    data: { amount: (i * 7) % 31 },
    actionId: i % 100 === 0 ? 'reject' : 'approve',
  }))
  expect(suggestions).toMatchObject([{ name: 'Approve refund', when: [], covered: 1_000, agreed: 990 }])
  expect(suggestions[0]!.disagreements.map(({ taskId }) => taskId)).toEqual(
    Array.from({ length: 10 }, (_, i) => `task ${2_900 - 100 * i}`),
  )
})

test('none of them part of another', () => {
  const random = createRandom(3)
  const { suggestions, newest } = suggest(4_000, () => {
    const kind = random.pick(['a', 'b', 'c', 'd', 'e'])
    const data = { kind, size: whole(random, 100), tier: random.pick(['gold', 'new']) }
    const usual =
      kind === 'a' || kind === 'b' ? 'approve' : kind === 'c' ? 'reject' : random.pick(['approve', 'reject'])
    return { data, actionId: usual }
  })
  expect(suggestions).toMatchObject([
    { when: [{ is: 'oneOf', value: ['a', 'b'] }], answer: { actionId: 'approve' } },
    { when: [{ is: 'equals', value: 'c' }], answer: { actionId: 'reject' } },
  ])
  for (const { covered, when } of suggestions)
    expect(newest.filter(({ data }) => matchesConditions(when, data))).toHaveLength(covered)
})

test('never more than three: of four rules, those that answer most', () => {
  const random = createRandom(5)
  const { suggestions } = suggest(4_000, () => {
    const reason = random.pick(['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c', 'd', 'd', ''])
    const data = { a: reason === 'a', b: reason === 'b', c: reason === 'c', d: reason === 'd' }
    return { data, actionId: reason === '' ? random.pick(['approve', 'reject']) : 'approve' }
  })
  expect(suggestions.map(({ when }) => when[0]!.field).sort()).toEqual(['a', 'b', 'c'])
  for (const { when } of suggestions) expect(when).toMatchObject([{ is: 'equals', value: true }])
})

const form: StoredAction = {
  id: 'send',
  title: 'Send',
  schema: {
    type: 'object',
    properties: {
      urgency: { type: 'string', enum: ['low', 'high'], default: 'low' },
      team: { type: 'string', enum: ['sales', 'support'] },
      note: { type: 'string' },
    },
  },
}

test('the data that people gave most often, or none if it is what the form starts with', () => {
  const random = createRandom(4)
  const give = (usual: object) => () => ({
    data: {},
    actionId: 'send',
    answer: { urgency: 'low', ...(random.chance(0.99) && usual), note: `note ${random.next()}` },
  })
  expect(suggest(900, give({ urgency: 'high', team: 'sales' }), [form]).suggestions).toMatchObject([
    { when: [], answer: { actionId: 'send', data: { urgency: 'high', team: 'sales' } } },
  ])
  const [started] = suggest(900, give({}), [form]).suggestions
  expect(started!.answer).toEqual({ actionId: 'send', actionTitle: 'Send' })
})

test('an answer that the form would refuse is not suggested', () => {
  const table = createPastAnswerTable()
  const actions = approveOrReject
  const past = {
    actionId: 'reject',
    answer: {},
    contextData: {},
    isRevised: false,
    endedAt: now,
  } as unknown as PastAnswer
  for (let i = 0; i < 600; i++) table.add(past, answerToReproduce(past, actions))
  const cases = complete(table.finish())
  const run = (fits: boolean) =>
    complete(findSuggestions(cases, { type: 'refund', now, actions, fits: () => fits }))
  expect(run(true)).toHaveLength(1)
  expect(run(false)).toEqual([])
})

test('fewer answers than needed give none', () => {
  expect(suggest(199, () => ({ data: {} })).suggestions).toEqual([])
  expect(suggest(200, () => ({ data: {} })).suggestions).toHaveLength(1)
})

test.each(Array.from({ length: 10 }, (_, seed) => seed))('coin flips give none (seed %i)', (seed) => {
  const random = createRandom(seed)
  const { suggestions } = suggest(500 + 200 * seed, () => ({
    data: { amount: whole(random, 100), region: random.pick(['a', 'b', 'c']), isNew: random.chance(0.5) },
    actionId: random.pick(['approve', 'reject']),
  }))
  expect(suggestions).toEqual([])
})

test('if people agree with no rule in more than 95 %, at most 5 % of histories give a suggestion', () => {
  const offers = (agreement: number, seed: number) => {
    const random = createRandom(seed)
    const { suggestions } = suggest(600, () => ({
      data: {
        amount: whole(random, 30),
        region: random.pick(['a', 'b', 'c', 'd']),
        isNew: random.chance(0.5),
      },
      actionId: random.chance(agreement) ? 'approve' : 'reject',
    }))
    return suggestions.length > 0
  }
  const seeds = Array.from({ length: 100 }, (_, i) => 1_000 + i)
  expect(seeds.filter((seed) => offers(0.95, seed)).length).toBeLessThanOrEqual(5)
  expect(seeds.filter((seed) => offers(0.995, seed)).length).toBeGreaterThan(80)
})
