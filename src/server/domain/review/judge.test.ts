import { describe, expect, test } from 'vitest'
import type { StoredReview } from '../../storage/engine/task-tables.ts'
import type { MemberWithGroups } from '../../storage/review/members-with-groups.ts'
import { answerDigest } from './answer-digest.ts'
import { type JudgedAnswer, judge, refusalOf } from './judge.ts'

const person = (userId: string, more: Partial<MemberWithGroups> = {}): MemberWithGroups => ({
  userId,
  role: 'member',
  isVerified: true,
  groups: [],
  ...more,
})
const finance = { groups: ['grp_finance'] }
const people = [
  person('ana', finance),
  person('ben', finance),
  person('cem'),
  person('lea', { role: 'admin' }),
  person('new', { ...finance, isVerified: false }),
]
const fourEyes: StoredReview = { by: ['grp_finance'], needed: 2, onDecline: 'end', requesters: ['cem'] }
const answer = (userId: string, actionId = 'approve', digest = actionId): JudgedAnswer => ({
  userId,
  actionId,
  digest,
})
const refusal = (id: string, answers: JudgedAnswer[] = [], review = fourEyes, via: 'web' | 'cli' = 'web') =>
  refusalOf(review, people, answers, { id, via })

describe('whether a task is decided', () => {
  test('once enough people have given the same answer, by the earliest of them', () => {
    expect(judge(fourEyes, people, [answer('ana')])).toEqual({ state: 'open' })
    expect(judge(fourEyes, people, [answer('ana'), answer('ben')])).toEqual({
      state: 'decided',
      by: answer('ana'),
    })
  })

  test('a rejection or "Mark done" ends it at once, unless answers are collected', () => {
    for (const id of ['service:reject-request', 'service:mark-done']) {
      const answers = [answer('ana'), answer('ben', id)]
      expect(judge(fourEyes, people, answers)).toEqual({ state: 'decided', by: answers[1] })
      expect(judge({ ...fourEyes, onDecline: 'collect' }, people, answers)).toEqual({ state: 'deadlock' })
    }
  })

  test('an action of the sender never ends it early, whatever its outcome', () => {
    expect(judge(fourEyes, people, [answer('ana', 'decline')])).toEqual({ state: 'open' })
  })

  test('is a deadlock when everybody who may answer has, without a result', () => {
    expect(judge(fourEyes, people, [answer('ana'), answer('ben', 'decline')])).toEqual({ state: 'deadlock' })
    expect(judge({ ...fourEyes, by: ['grp_empty'] }, people, [])).toEqual({ state: 'deadlock' })
  })

  test('an answer stays valid after its person has left the group', () => {
    const later = people.map((one) => (one.userId === 'ana' ? person('ana') : one))
    expect(judge(fourEyes, later, [answer('ana'), answer('ben')]).state).toBe('decided')
  })
})

describe('who may answer', () => {
  test('the people and groups that are named, each once', () => {
    expect(refusal('ana')).toBeUndefined()
    expect(refusal('ana', [answer('ana')])).toBe('answered')
    expect(refusal('cem', [], { needed: 1, onDecline: 'end', by: ['ana'] })).toBe('not named')
    expect(refusal('nobody')).toBe('not named')
  })

  test('only those whom both the sender and the policy name', () => {
    const both: StoredReview = { by: ['ana', 'cem'], within: ['grp_finance'], needed: 1, onDecline: 'end' }
    expect(refusal('ana', [], both)).toBeUndefined()
    expect(refusal('cem', [], both)).toBe('not named')
    expect(refusal('ben', [], both)).toBe('not named')
  })

  test('never the person behind the task, nor those who are excluded, also as an admin in a deadlock', () => {
    const deadlock = [answer('ana'), answer('ben', 'decline')]
    expect(refusal('cem', deadlock, { ...fourEyes, by: ['cem', 'ana', 'ben'] })).toBe('requester')
    expect(refusal('lea', deadlock, { ...fourEyes, requesters: ['lea'] })).toBe('requester')
    expect(refusal('lea', deadlock, { ...fourEyes, notBy: ['lea'] })).toBe('excluded')
    expect(refusal('lea', [...deadlock, answer('lea')], fourEyes)).toBe('answered')
  })

  test('those it was escalated to, but not the people behind it, who keep what they had', () => {
    const escalated: StoredReview = {
      ...{
        by: ['ana', 'ben'],
        within: ['ana'],
        escalatedTo: ['cem', 'grp_leads'],
        behind: ['ben', 'lea', 'max'],
      },
      ...{ needed: 1, onDecline: 'end' },
    }
    const leads = ['ben', 'eva', 'max'].map((id) => person(id, { groups: ['grp_leads'] }))
    const all = [
      person('ana'),
      person('cem'),
      person('lea', { role: 'admin', groups: ['grp_leads'] }),
      ...leads,
    ]
    const refused = (id: string, review = escalated, answers: JudgedAnswer[] = []) =>
      refusalOf(review, all, answers, { id, via: 'web' })
    for (const id of ['ana', 'cem', 'eva']) expect(refused(id)).toBeUndefined()
    for (const id of ['ben', 'max']) expect(refused(id)).toBe('requester')
    expect(refused('lea')).toBe('requester')
    expect(refused('cem', { ...escalated, notBy: ['cem'] })).toBe('excluded')
    const behindAll = { ...escalated, behind: all.map(({ userId }) => userId) }
    expect(refused('ana', behindAll)).toBeUndefined()
    expect(refused('lea', { ...behindAll, within: ['nobody'] })).toBeUndefined()
  })

  test('an admin only in a deadlock', () => {
    expect(refusal('lea')).toBe('no deadlock')
    expect(refusal('lea', [answer('ana')])).toBe('no deadlock')
    expect(refusal('lea', [answer('ana'), answer('ben', 'decline')])).toBeUndefined()
  })

  test('where it matters who answers, neither unverified people nor the command line', () => {
    expect(refusal('new')).toBe('not verified')
    expect(refusal('ana', [], fourEyes, 'cli')).toBe('command line')
    expect(refusal('new', [], { ...fourEyes, by: ['ana', 'ben'] })).toBe('not named')
    expect(refusal('lea', [], fourEyes, 'cli')).toBe('no deadlock')
    const anyone: StoredReview = { by: ['grp_finance'], needed: 1, onDecline: 'end' }
    expect(refusal('new', [], anyone, 'cli')).toBeUndefined()
  })
})

describe('whether two answers agree', () => {
  const action = {
    id: 'pay',
    schema: {
      type: 'object',
      properties: {
        account: { type: 'string', pattern: '^DE' },
        amount: { type: 'number' },
        note: { type: 'string', maxLength: 100 },
        text: { type: 'string' },
        reply: { type: 'string', default: 'Dear Ana' },
        target: { type: 'object', properties: { iban: { type: 'string' } } },
        payee: { type: 'object', properties: { name: { type: 'string' }, country: { enum: ['DE', 'FR'] } } },
      },
    },
    ui: {
      text: { 'ui:options': { prefill: 'draft' } },
      target: { 'ui:options': { prefill: 'target' } },
    },
  }
  const context = { draft: 'Dear Ana', target: { iban: 'DE1' } }
  const agree = (
    one: Record<string, unknown>,
    other: Record<string, unknown>,
    schema: object = action.schema,
  ) =>
    answerDigest({ ...action, schema: { ...schema } }, one, context) ===
    answerDigest({ ...action, schema: { ...schema } }, other, context)

  test('with the same values, in any order', () => {
    expect(agree({ amount: 5, account: 'DE1' }, { account: 'DE1', amount: 5 })).toBe(true)
    expect(agree({ amount: 5 }, { amount: 6 })).toBe(false)
    expect(agree({ amount: 5 }, {})).toBe(false)
    expect(agree({ account: 'DE1' }, { account: 'DE2' })).toBe(false)
    expect(agree({ payee: { country: 'DE' } }, { payee: { country: 'FR' } })).toBe(false)
    expect(agree({ extra: 'a' }, { extra: 'b' })).toBe(false)
  })

  test('except for free text, which does not include a text that the form starts with', () => {
    expect(agree({ note: 'fine' }, { note: 'ok' })).toBe(true)
    expect(agree({ note: 'fine' }, {})).toBe(true)
    expect(agree({ payee: { name: 'Ana' } }, { payee: { name: 'ana' } })).toBe(true)
    expect(agree({ text: 'Dear Ana' }, { text: 'Dear Ben' })).toBe(false)
    expect(agree({ reply: 'Dear Ana' }, { reply: 'Dear Ben' })).toBe(false)
    expect(agree({ target: { iban: 'DE1' } }, { target: { iban: 'DE2' } })).toBe(false)
  })

  test('in everything, where a combined schema could restrict a text elsewhere', () => {
    const restricted = { allOf: [{ properties: { note: { enum: ['fine', 'ok'] } } }] }
    expect(agree({ note: 'fine' }, { note: 'ok' }, { ...action.schema, ...restricted })).toBe(false)
  })

  test('never with different actions', () => {
    expect(answerDigest(action, {}, undefined)).not.toBe(
      answerDigest({ ...action, id: 'wait' }, {}, undefined),
    )
  })
})
