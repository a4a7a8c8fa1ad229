import { expect, test } from 'vitest'
import type { StoredAction } from '../../storage/engine/task-tables.ts'
import { answerToReproduce } from './answer-to-reproduce.ts'
import { compareAnswer, type PastAnswer } from './past-answers.ts'

const actions: StoredAction[] = [
  { id: 'skip', title: 'Skip' },
  {
    id: 'send',
    title: 'Send',
    schema: {
      type: 'object',
      properties: {
        reply: { type: 'string' },
        urgency: { enum: ['low', 'high'], default: 'low' },
        team: { enum: ['sales', 'support'] },
        note: { type: 'string' },
      },
    },
    ui: { reply: { 'ui:options': { prefill: 'draft' } } },
  },
]
const past = (answer: Record<string, unknown>, more: Partial<PastAnswer> = {}) =>
  ({
    actionId: 'send',
    answer,
    contextData: { draft: 'Yes' },
    isRevised: false,
    actions,
    ...more,
  }) as PastAnswer

const agreesWith = (one: PastAnswer, action: StoredAction, data?: Record<string, unknown>) =>
  compareAnswer(one, { answer: { actionId: action.id, data } }, action)

test.each([
  ['what the form starts with', { reply: 'Yes', urgency: 'low' }, {}],
  ['free text', { reply: 'Yes', urgency: 'low', note: 'checked' }, {}],
  ['another choice', { reply: 'Yes', urgency: 'high', team: 'sales' }, { urgency: 'high', team: 'sales' }],
  ['a changed text', { reply: 'No', urgency: 'low' }, { reply: 'No' }],
])('%s: a rule with this data agrees', (_, answer, data) => {
  const one = past(answer)
  expect(answerToReproduce(one, actions)).toEqual({ actionId: 'send', data })
  expect(agreesWith(one, actions[1]!, data)).toBe(true)
  expect(agreesWith(one, actions[1]!, { ...data, team: 'support' })).toBe(false)
  expect(agreesWith(one, actions[0]!, {})).toBe(false)
})

test.each([
  ['a field was emptied', past({ reply: 'Yes' })],
  ['the task was revised', past({ reply: 'Yes', urgency: 'low' }, { isRevised: true })],
  ['the task was rejected', past({ feedback: 'no' }, { actionId: 'service:reject-request' })],
])('%s: no rule agrees', (_, one) => {
  expect(answerToReproduce(one, actions)).toBeUndefined()
  expect(agreesWith(one, actions[1]!)).toBe(false)
})

test('a rule does not answer tasks of other versions, or that its answer does not fit', () => {
  const one = past({ reply: 'Yes', urgency: 'low' }, { contextData: { draft: 5 }, version: '1' })
  expect(agreesWith(one, actions[1]!)).toBeUndefined()
  expect(agreesWith(one, actions[1]!, { reply: 'Yes' })).toBe(true)
  const ofOthers = { versions: ['2'], answer: { actionId: 'send', data: { reply: 'Yes' } } }
  expect(compareAnswer(one, ofOthers, actions[1]!)).toBeUndefined()
})
