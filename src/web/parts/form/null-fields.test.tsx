import { fireEvent, render, screen } from '@testing-library/react'
import { createRef } from 'react'
import { expect, test, vi } from 'vitest'
import SchemaForm, { type FormHandle } from './schema-form.tsx'

vi.mock('./check-in-worker.ts', () => ({ startChecker: () => undefined, checkInWorker: async () => [] }))

const withNull = { type: 'object', title: 'None', properties: { no: { type: 'null' } } }

function openForm(schema: object, ui?: Record<string, unknown>) {
  const handle = createRef<FormHandle>()
  const onChange = vi.fn()
  render(
    <SchemaForm
      schema={{ type: 'object', ...schema }}
      ui={ui}
      context={undefined}
      onChange={onChange}
      handle={handle}
    />,
  )
  return { onChange, data: async () => (await handle.current!.check()).data }
}

test.each([
  [{ no: { type: 'null' } }, { no: null }],
  [{ group: withNull }, { group: { no: null } }],
  [{ choice: { oneOf: [withNull, { type: 'string' }] } }, { choice: { no: null } }],
])('a null that the form fills in itself is no draft: %j', async (properties, data) => {
  const form = openForm({ properties })
  await vi.waitFor(async () => expect(await form.data()).toEqual(data))
  expect(form.onChange).not.toHaveBeenCalled()
})

const color = { enum: ['red', 'blue'], title: 'Color', type: 'string' }

test.each([
  ['Pydantic', { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'Note' }],
  ['Zod', { anyOf: [{ type: 'string', title: 'Note' }, { type: 'null' }] }],
  ['OpenAI', { type: ['string', 'null'], title: 'Note' }],
])('a required text or null, as %s writes it, is a text field whose empty value is null', async (_, note) => {
  const hints = { note: { 'ui:widget': 'textarea' } }
  const { data, onChange } = openForm({ required: ['note'], properties: { note } }, hints)
  const field = screen.getByRole('textbox', { name: 'Note optional' })
  expect(field.tagName).toBe('TEXTAREA')
  expect(await data()).toEqual({ note: null })
  expect(onChange).not.toHaveBeenCalled()
  fireEvent.change(field, { target: { value: 'Hello' } })
  expect(await data()).toEqual({ note: 'Hello' })
  fireEvent.change(field, { target: { value: '' } })
  expect(await data()).toEqual({ note: null })
})

test('values, numbers and booleans that may be null are shown by their own widgets', async () => {
  const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })
  const { data } = openForm({
    required: ['paint', 'count', 'ok', 'who'],
    properties: {
      paint: orNull({ $ref: '#/$defs/Color' }),
      count: orNull({ type: 'integer', minimum: 0 }),
      ok: orNull({ type: 'boolean' }),
      who: { type: 'object', required: ['alias'], properties: { alias: orNull({ type: 'string' }) } },
      other: { type: 'object', required: ['alias'], properties: { alias: orNull({ type: 'string' }) } },
    },
    $defs: { Color: color },
  })
  expect(await data()).toEqual({ paint: null, count: null, ok: null, who: { alias: null } })
  fireEvent.click(screen.getByRole('radio', { name: 'blue' }))
  fireEvent.click(screen.getByRole('radio', { name: 'No' }))
  const count = screen.getByRole('textbox', { name: 'Count optional' })
  expect(count.inputMode).toBe('numeric')
  fireEvent.change(count, { target: { value: '3' } })
  expect(await data()).toEqual({ paint: 'blue', count: 3, ok: false, who: { alias: null } })
})

test('variants without a title are named by their type or value, and a value is not filled in', async () => {
  const none = { type: 'null' }
  const { data } = openForm({
    properties: {
      to: { anyOf: [{ type: 'string' }, { type: 'number' }, none] },
      mode: { anyOf: [{ type: 'string', const: 'fast' }, none], default: null },
    },
  })
  const options = screen.getAllByRole('option').map(({ textContent }) => textContent)
  expect(options).toEqual(['Text', 'Number', 'None', 'fast', 'None'])
  expect(await data()).toEqual({ mode: null })
})
