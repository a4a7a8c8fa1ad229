import { expect, test } from 'vitest'
import type { TaskRecord } from '../../../contract/task.ts'
import { carriedDrafts, formVersion } from './carried-drafts.ts'

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
// Written after the revision by the clock of the service, in a form that still showed the first one.
const draft = (data: Record<string, unknown>, revision = 1) => ({
  actionId: 'pay',
  data,
  revision,
  updatedAt: '2026-11-16T11:00:00.000Z',
})
const carried = (data: Record<string, unknown>, task: TaskRecord) =>
  carriedDrafts([draft(data)], task)[0]?.data

test('of a draft of an earlier revision, the fields stay that are the same in the new form', () => {
  const data = { note: 'For Ines', amount: 120, mail: 'One charge, my words' }
  expect(carried(data, revised(178, 'Both charges'))).toEqual(data)
  expect(carried(data, revised(89, 'Both charges'))).toEqual({
    note: 'For Ines',
    mail: 'One charge, my words',
  })
  const later = draft(data, 2)
  expect(carriedDrafts([later], revised(89, 'Both charges'))).toEqual([later])
})

test('a prefilled text that the person did not edit is replaced by the revised one, an edited one is kept', () => {
  const task = revised(178, 'One charge')
  expect(carried({ note: 'For Ines', mail: 'Both charges' }, task)).toEqual({ note: 'For Ines' })
  expect(carried({ mail: 'Both charges, my words' }, task)).toEqual({ mail: 'Both charges, my words' })
})

test('a form starts anew only if it or its prefilled values changed', () => {
  expect(formVersion(revised(178, 'Both charges'), 'pay')).toBe(0)
  expect(formVersion(revised(89, 'Both charges'), 'pay')).toBe(1)
  expect(formVersion(revised(178, 'One charge'), 'pay')).toBe(1)
})
