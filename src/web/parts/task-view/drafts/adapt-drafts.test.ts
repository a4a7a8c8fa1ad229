import { expect, test } from 'vitest'
import type { TaskRecord } from '../../../../contract/task.ts'
import { adaptDrafts, formVersion } from './adapt-drafts.ts'

const action = (maximum: number) => ({
  id: 'pay',
  title: 'Pay',
  schema: {
    type: 'object',
    properties: {
      note: { type: 'string' },
      amount: { type: 'number', maximum },
      mail: { type: 'string' },
    },
  },
  ui: { mail: { 'ui:options': { prefill: 'mail' } } },
})
const revised = (maximum: number, mail: string) =>
  ({
    taskId: 'tsk_1',
    revision: 2,
    context: { data: { mail } },
    actions: [action(maximum)],
    revisions: [
      {
        revision: 1,
        context: { data: { mail: 'Both charges' } },
        actions: [action(178)],
        replacedAt: '2026-11-16T10:00:00.000Z',
      },
    ],
  }) as unknown as TaskRecord
// Written after the revision by the clock of the service, in a form that still showed the first
// one.
const draft = (data: Record<string, unknown>, revision = 1) => ({
  actionId: 'pay',
  data,
  revision,
  updatedAt: '2026-11-16T11:00:00.000Z',
})
const carried = (data: Record<string, unknown>, task: TaskRecord) => adaptDrafts([draft(data)], task)[0]?.data

test('of a draft of an earlier revision, the fields stay that are the same in the new form', () => {
  const data = { note: 'For Ines', amount: 120, mail: 'One charge, my words' }
  expect(carried(data, revised(178, 'Both charges'))).toEqual(data)
  expect(carried(data, revised(89, 'Both charges'))).toEqual({
    note: 'For Ines',
    mail: 'One charge, my words',
  })
  const later = draft(data, 2)
  expect(adaptDrafts([later], revised(89, 'Both charges'))).toEqual([later])
})

test('a prefilled text that the person did not edit is replaced by the revised one, an edited one is kept', () => {
  const task = revised(178, 'One charge')
  expect(carried({ note: 'For Ines', mail: 'Both charges' }, task)).toEqual({
    note: 'For Ines',
    mail: 'One charge',
  })
  expect(carried({ mail: 'Both charges, my words' }, task)).toEqual({ mail: 'Both charges, my words' })
  expect(carried({ note: 'The mail was cleared' }, task)).toEqual({ note: 'The mail was cleared' })
})

/** Revises the form of an action. */
const withForms = (before: object, after: object, context: object[] = [{}, {}]) =>
  ({
    taskId: 'tsk_1',
    revision: 2,
    context: { data: context[1] },
    actions: [{ id: 'pay', title: 'Pay', ...after }],
    revisions: [
      { revision: 1, context: { data: context[0] }, actions: [{ id: 'pay', title: 'Pay', ...before }] },
    ],
  }) as unknown as TaskRecord

test('a field that the revision changed or added starts with its new default', () => {
  const form = (properties: object) => ({ schema: { type: 'object', properties } })
  const currency = (choice: string) => ({ type: 'string', enum: ['EUR', 'USD'], default: choice })
  const task = withForms(
    form({ note: { type: 'string' }, currency: currency('USD') }),
    form({ note: { type: 'string' }, currency: currency('EUR'), copies: { type: 'integer', default: 2 } }),
  )
  expect(carried({ note: 'For Ines', currency: 'USD' }, task)).toEqual({
    note: 'For Ines',
    currency: 'EUR',
    copies: 2,
  })
})

test('in a group of prefilled texts, each one that was edited is kept', () => {
  const property = { type: 'object', properties: { subject: { type: 'string' }, body: { type: 'string' } } }
  const prefill = (source: string) => ({ 'ui:options': { prefill: source } })
  const form = {
    schema: { type: 'object', properties: { mail: property } },
    ui: { mail: { subject: prefill('subject'), body: prefill('body') } },
  }
  const task = withForms(form, form, [
    { subject: 'Refund', body: 'Both charges' },
    { subject: 'Your refund', body: 'One charge' },
  ])
  expect(carried({ mail: { subject: 'Refund', body: 'My words' } }, task)).toEqual({
    mail: { subject: 'Your refund', body: 'My words' },
  })
})

test('a field is not the same if its label changed, or what its schema refers to', () => {
  const form = (label: string, maximum: number) => ({
    schema: {
      type: 'object',
      properties: {
        note: { type: 'string' },
        reason: { type: 'string' },
        lines: { type: 'array', items: { $ref: '#/definitions/line' } },
      },
      definitions: {
        line: { type: 'object', properties: { amount: { $ref: '#/definitions/amount' } } },
        amount: { type: 'number', maximum },
      },
    },
    ui: { reason: { 'ui:title': label } },
  })
  const data = { note: 'For Ines', reason: 'Charged twice', lines: [{ amount: 120 }] }
  expect(carried(data, withForms(form('Why?', 178), form('Why?', 178)))).toEqual(data)
  expect(carried(data, withForms(form('Why?', 178), form('Why not?', 178)))).toEqual({
    note: data.note,
    lines: data.lines,
  })
  expect(carried(data, withForms(form('Why?', 178), form('Why?', 89)))).toEqual({
    note: data.note,
    reason: data.reason,
  })
})

test('a form starts anew only if it or its prefilled values changed', () => {
  expect(formVersion(revised(178, 'Both charges'), 'pay')).toBe(0)
  expect(formVersion(revised(89, 'Both charges'), 'pay')).toBe(1)
  expect(formVersion(revised(178, 'One charge'), 'pay')).toBe(1)
})
