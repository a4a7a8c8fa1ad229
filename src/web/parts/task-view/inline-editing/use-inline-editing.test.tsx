import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { useInlineEditingState } from './use-inline-editing.ts'

const sends = (id: string, field: string) => ({
  id,
  title: id,
  schema: { type: 'object', properties: { text: { type: 'string' } } },
  ui: { text: { 'ui:options': { prefill: field } } },
})

test('the shortcut edits the first text of the form on screen, otherwise the first that can be edited', () => {
  const task = {
    status: 'open',
    context: { data: { number: 1, letter: 'Dear Ines', summary: 'Refund' } },
    actions: [sends('shorten', 'summary'), sends('send', 'letter')],
  } as unknown as MemberTaskRecord
  const { result } = renderHook(() => useInlineEditingState(task, task.context))
  const first = () => result.current.forContext.firstEditable
  expect(first()).toBe('letter')
  let removeField = () => {}
  act(() => {
    removeField = result.current.forForm.addField(['summary'])
  })
  expect(first()).toBe('summary')
  act(() => removeField())
  expect(first()).toBe('letter')
})

test.each([
  ['the body', { body: 'Dear Ines' }, 'mail.body', ['mail']],
  ['the subject', { subject: 'Refund', text: 'Dear Ines' }, 'mail.subject', ['mail']],
  ['the text beside HTML', { html: '<p>Dear Ines</p>', text: 'Dear Ines' }, 'mail.text', []],
  ['a body that is HTML', { body: '<p>Dear Ines</p>' }, 'mail.body', []],
  ['the body beside a text', { text: 'Dear Ines', body: 'Dear all' }, 'mail.body', []],
  ['a subject that is not shown as a header', { subject: 'a\nb', text: 'Dear Ines' }, 'mail.subject', []],
])('of an email, %s is edited in place only if the widget shows it as text', (_, mail, source, fields) => {
  const task = {
    status: 'open',
    context: { data: { mail }, ui: { mail: { 'ui:widget': 'email' } } },
    actions: [sends('send', source)],
  } as unknown as MemberTaskRecord
  const { result } = renderHook(() => useInlineEditingState(task, task.context))
  expect(result.current.fieldsOf('send')).toEqual(fields)
})
