import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createRef } from 'react'
import { expect, test, vi } from 'vitest'
import { checkAnswer } from '../../../contract/forms/check-answer.ts'
import SchemaForm, { type FormHandle } from './schema-form.tsx'

// happy-dom has no workers, so the same check runs inline.
vi.mock('./check-in-worker.ts', () => ({
  startChecker: () => undefined,
  checkInWorker: async (schema: unknown, data: unknown) =>
    checkAnswer(schema, data, { matches: (pattern, text) => new RegExp(pattern, 'u').test(text) }),
}))

function form(
  schema: object,
  ui?: object,
  initial?: Record<string, unknown>,
  context?: Record<string, unknown>,
) {
  const handle = createRef<FormHandle>()
  const onChange = vi.fn()
  render(
    <SchemaForm
      schema={schema as Record<string, unknown>}
      ui={ui as Record<string, unknown>}
      initial={initial}
      context={context}
      isDisabled={false}
      autoFocus={false}
      onChange={onChange}
      handle={handle}
    />,
  )
  return {
    check: () => handle.current!.check(),
    showErrors: (errors: never[]) => handle.current!.showErrors(errors),
    onChange,
  }
}

const exampleSchema = {
  type: 'object',
  required: ['winner', 'reason'],
  properties: {
    winner: {
      type: 'string',
      title: 'Which is better?',
      enum: ['a', 'b'],
      enumNames: ['Draft A', 'Draft B'],
    },
    reason: { type: 'string', title: 'Why?' },
    note: { type: 'string' },
  },
}
const exampleUi = {
  winner: { 'ui:widget': 'radio' },
  reason: { 'ui:widget': 'textarea', 'ui:placeholder': 'Say why' },
}

test('the example form shows the labels that were sent and returns the values that were sent', async () => {
  const { check, onChange } = form(exampleSchema, exampleUi)
  await userEvent.click(screen.getByRole('radio', { name: 'Draft B' }))
  await userEvent.type(screen.getByPlaceholderText('Say why'), 'Clear')
  expect(await check()).toEqual({ data: { winner: 'b', reason: 'Clear' }, errors: [], isVerified: true })
  expect(onChange).toHaveBeenLastCalledWith({ winner: 'b', reason: 'Clear' })
})

test('an empty required field is reported, and cleared optional text is omitted', async () => {
  const { check } = form(exampleSchema, exampleUi, { note: 'x' })
  await userEvent.clear(screen.getByRole('textbox', { name: /Note/ }))
  const { data, errors } = await check()
  expect(data).toEqual({})
  expect(errors.map(({ path }) => path)).toEqual(['winner', 'reason'])
})

test('an error is shown at its field and is accessible to screen readers', async () => {
  const { showErrors } = form(exampleSchema, exampleUi)
  showErrors([{ path: 'reason', message: 'Say a little more.' }] as never[])
  const field = await screen.findByPlaceholderText('Say why')
  await vi.waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
  const description = document.getElementById(field.getAttribute('aria-describedby') ?? '')
  expect(description?.textContent).toBe('Say a little more.')
})

test('defaults are filled in, but an unanswered boolean is not sent as false', async () => {
  const { check, onChange } = form({
    type: 'object',
    required: ['sure'],
    properties: { subject: { type: 'string', default: 'Hello' }, sure: { type: 'boolean', title: 'Sure?' } },
  })
  const { data, errors } = await check()
  expect(data).toEqual({ subject: 'Hello' })
  expect(errors.map(({ path }) => path)).toEqual(['sure'])
  expect(onChange).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('radio', { name: 'No' }))
  expect((await check()).data).toEqual({ subject: 'Hello', sure: false })
})

test('a cleared default stays cleared when the draft is restored, and other defaults remain', async () => {
  const schema = {
    type: 'object',
    properties: {
      subject: { type: 'string', title: 'Subject', default: 'Hello' },
      greeting: { type: 'string', default: 'Dear all' },
      address: { type: 'object', properties: { city: { type: 'string', title: 'City', default: 'Ulm' } } },
      source: { type: 'string', readOnly: true, default: 'agent' },
    },
  }
  const before = form(schema)
  await userEvent.clear(screen.getByRole('textbox', { name: /Subject/ }))
  await userEvent.clear(screen.getByRole('textbox', { name: /City/ }))
  const draft = before.onChange.mock.lastCall?.[0]
  expect(draft).toEqual({ greeting: 'Dear all', source: 'agent' })
  cleanup()
  const { check } = form(schema, undefined, JSON.parse(JSON.stringify(draft)))
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /Subject/ }).value).toBe('')
  expect((await check()).data).toEqual(draft)
})

test('fields are prefilled from the context if the hints say so, and stay empty once cleared', async () => {
  const schema = {
    type: 'object',
    properties: {
      reply: { type: 'string', title: 'Reply', default: 'Hello' },
      amount: { type: 'number', title: 'Amount' },
      nothing: { type: 'string', title: 'Nothing' },
      source: { type: 'string', readOnly: true, default: 'agent' },
      to: { type: 'object', properties: { city: { type: 'string', title: 'City' } } },
    },
  }
  const prefill = (path: string) => ({ 'ui:options': { prefill: path } })
  const ui = {
    reply: prefill('draft'),
    amount: prefill('order.amount'),
    nothing: prefill('order.__proto__'),
    source: prefill('draft'),
    to: { city: prefill('order.city') },
  }
  const context = { draft: 'Dear Mara', order: { amount: 40, city: 'Ulm' } }
  const { check, onChange } = form(schema, ui, undefined, context)
  expect((await check()).data).toEqual({
    reply: 'Dear Mara',
    amount: 40,
    source: 'agent',
    to: { city: 'Ulm' },
  })
  await userEvent.clear(await screen.findByRole('textbox', { name: /Reply/ }))
  const draft = onChange.mock.lastCall?.[0]
  cleanup()
  const again = form(schema, ui, draft, context)
  expect((await again.check()).data).toEqual({ amount: 40, source: 'agent', to: { city: 'Ulm' } })
})

test('errors of a required object are shown at its fields', async () => {
  const { check } = form({
    type: 'object',
    required: ['contact'],
    properties: {
      contact: { type: 'object', required: ['email'], properties: { email: { type: 'string' } } },
    },
  })
  expect((await check()).errors.map(({ path }) => path)).toEqual(['contact.email'])
})

test('a field without a title is labelled with its name as words, and items of such a list too', async () => {
  const list = { type: 'array', items: { type: 'string' }, minItems: 1 }
  form({
    type: 'object',
    required: ['orderLines', 'iOS'],
    properties: {
      refund_amount: { type: 'number' },
      isUrgent: { type: 'boolean' },
      orderLines: list,
      iOS: { type: 'string', title: 'iOS version' },
    },
  })
  expect(screen.getByRole('textbox', { name: /^Refund amount/ })).toBeTruthy()
  expect(screen.getByRole('checkbox', { name: 'Is urgent' })).toBeTruthy()
  expect(screen.getByRole('textbox', { name: 'Order line 1' })).toBeTruthy()
  expect(screen.getByRole('textbox', { name: 'iOS version' })).toBeTruthy()
})

test('an error of an object as a whole is shown below it', async () => {
  const { showErrors } = form({
    type: 'object',
    properties: {
      where: { type: 'object', title: 'Where', properties: { city: { type: 'string' } } },
    },
  })
  showErrors([{ path: 'where', message: 'Say at least one thing.' }] as never[])
  expect(await screen.findByText('Say at least one thing.')).toBeTruthy()
})

test('an error of the answer as a whole is in the line, which counts fields only', async () => {
  const { showErrors } = form({
    type: 'object',
    properties: { city: { type: 'string', title: 'City' } },
  })
  showErrors([{ path: '', message: 'Say at least one thing.' }] as never[])
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Say at least one thing.'))
  expect(screen.queryByRole('button', { name: /City/ })).toBeNull()
  showErrors([
    { path: '', message: 'Say at least one thing.' },
    { path: 'city', message: 'Too short.' },
  ] as never[])
  await screen.findByRole('button', { name: '1 field needs your attention: City' })
})

test('the variants of a whole form have a name', () => {
  form({ type: 'object', oneOf: [{ title: 'By email' }, { title: 'By phone' }] })
  expect(screen.getByRole('combobox').getAttribute('aria-label')).toBe('Type')
})

test('only the fields of the chosen variant are shown and sent', async () => {
  const { check } = form({
    type: 'object',
    properties: {
      contact: {
        title: 'Contact',
        oneOf: [
          {
            title: 'By email',
            type: 'object',
            required: ['email'],
            properties: { email: { type: 'string' } },
          },
          {
            title: 'By phone',
            type: 'object',
            required: ['phone'],
            properties: { phone: { type: 'string' } },
          },
        ],
      },
    },
  })
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Type of Contact' }), 'By phone')
  await userEvent.type(screen.getByRole('textbox', { name: 'Phone' }), '+49')
  expect(await check()).toEqual({ data: { contact: { phone: '+49' } }, errors: [], isVerified: true })
})

test('list items can be added and removed', async () => {
  const { check } = form({
    type: 'object',
    properties: { lines: { type: 'array', title: 'Lines', items: { type: 'string' } } },
  })
  await userEvent.click(screen.getByRole('button', { name: 'Add' }))
  await userEvent.type(screen.getByRole('textbox'), 'one')
  expect((await check()).data).toEqual({ lines: ['one'] })
  await userEvent.click(screen.getByRole('button', { name: 'Remove item 1' }))
  expect((await check()).data).toEqual({ lines: [] })
})

test.each([
  ['the singular of the list', { type: 'string' }, 'Line 1'],
  ['the title of the items', { type: 'string', title: 'Position' }, 'Position 1'],
] as const)('list items are labelled with %s and their number', async (_, items, name) => {
  form(
    { type: 'object', properties: { lines: { type: 'array', title: 'Lines', items } } },
    {},
    { lines: ['a', 'b'] },
  )
  expect(screen.getByRole('textbox', { name: new RegExp(`^${name}`) })).toBeTruthy()
  expect(screen.queryByText(/Lines-|^Position$/)).toBeNull()
})

test.each([
  ['Boxes', 'Box 1'],
  ['Addresses', 'Address 1'],
  ['Movies', 'Movies 1'],
  ['Series', 'Series 1'],
  ['Statuses', 'Statuses 1'],
  ['Heroes', 'Heroes 1'],
])('the items of %s are labelled %s', (title, name) => {
  form(
    { type: 'object', properties: { list: { type: 'array', title, items: { type: 'string' } } } },
    {},
    { list: ['a'] },
  )
  expect(screen.getByRole('textbox', { name: new RegExp(`^${name}`) })).toBeTruthy()
})

test('object items are numbered too, and tuple items keep their own titles', () => {
  const item = { type: 'object', properties: { text: { type: 'string' } } }
  const position = [
    { type: 'string', title: 'Latitude' },
    { type: 'string', title: 'Longitude' },
  ]
  form(
    {
      type: 'object',
      properties: {
        entries: { type: 'array', title: 'Invoices', items: item },
        position: { type: 'array', title: 'Position', items: position },
      },
    },
    {},
    { entries: [{ text: 'x' }], position: ['1', '2'] },
  )
  expect(screen.getByRole('group', { name: /^Invoice 1/ })).toBeTruthy()
  expect(screen.getByRole('textbox', { name: /^Latitude(?! 1)/ })).toBeTruthy()
})

test.each([
  ['in the schema', { enumNames: ['Ship it', 'Hold it'] }, {}],
  ['in the hints', {}, { go: { 'ui:enumNames': ['Ship it', 'Hold it'] } }],
])('a boolean shows the option names sent %s', async (_, names, ui) => {
  for (const required of [[], ['go']]) {
    const { check } = form(
      { type: 'object', required, properties: { go: { type: 'boolean', title: 'Go?', ...names } } },
      ui,
    )
    await userEvent.click(screen.getByRole('radio', { name: 'Hold it' }))
    expect((await check()).data).toEqual({ go: false })
    await userEvent.click(screen.getByRole('radio', { name: 'Ship it' }))
    expect((await check()).data).toEqual({ go: true })
    cleanup()
  }
})

test.each([
  { enumDisabled: true },
  { enumOrder: 'a' },
  { enumOrder: [{ toString: 0 }] },
  { enumNames: { a: 5 } },
  { enumNames: 'ab' },
  { enumNames: [['A'], {}] },
])('options are shown if a hint about them has another type: %j', (options) => {
  const hints = Object.entries(options).map(([name, value]) => [`ui:${name}`, value])
  for (const hint of [{ 'ui:options': options }, Object.fromEntries(hints)]) {
    for (const widget of ['radio', 'select']) {
      form(
        { type: 'object', properties: { x: { type: 'string', title: 'X', enum: ['a', 'b'] } } },
        { x: { 'ui:widget': widget, ...hint } },
      )
      for (const name of ['a', 'b'])
        expect(screen.getByRole(widget === 'radio' ? 'radio' : 'option', { name })).toBeTruthy()
      cleanup()
    }
  }
})

test.each([
  [{}, [1, 2, 3, 4, 5]],
  [{ minimum: 6 }, [6, 7, 8, 9, 10]],
  [{ maximum: 0 }, [-4, -3, -2, -1, 0]],
  [{ minimum: 0.5, maximum: 3.5 }, [1, 2, 3]],
  [{ exclusiveMinimum: 0, exclusiveMaximum: 4 }, [1, 2, 3]],
  [{ minimum: 0, maximum: 10, multipleOf: 5 }, [0, 5, 10]],
])('a rating offers the integers that the schema allows: %o', (bounds, ratings) => {
  form({ type: 'object', properties: { stars: { type: 'integer', ...bounds } } }, ratingUi)
  const offered = screen.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)
  expect(offered.map(Number)).toEqual(ratings)
})

test('a rating with more than ten integers is a slider between the same bounds', () => {
  form({ type: 'object', properties: { stars: { type: 'integer', maximum: 20 } } }, ratingUi)
  const slider = screen.getByRole('slider')
  expect(['min', 'max', 'step'].map((name) => slider.getAttribute(name))).toEqual(['1', '20', '1'])
})

test('tags that contain commas are edited one per line', async () => {
  const schema = { type: 'object', properties: { names: { type: 'array', items: { type: 'string' } } } }
  const { onChange } = form(schema, { names: { 'ui:widget': 'tags' } }, { names: ['Smith, John', 'Ada'] })
  await userEvent.type(screen.getByRole('textbox'), '{Enter}Grace')
  expect(onChange.mock.lastCall?.[0]).toEqual({ names: ['Smith, John', 'Ada', 'Grace'] })
})

const ratingUi = { stars: { 'ui:widget': 'rating' } }

test('controls in a placeholder are shown instead of being applied', () => {
  const text = { type: 'string' }
  const placeholder = { 'ui:placeholder': 'pay \u202e001' }
  form(
    {
      type: 'object',
      properties: {
        line: text,
        area: text,
        tags: { type: 'array', items: text },
        choice: { type: 'string', enum: ['a', 'b'] },
      },
    },
    {
      line: placeholder,
      area: { ...placeholder, 'ui:widget': 'textarea' },
      tags: { ...placeholder, 'ui:widget': 'tags' },
      choice: { ...placeholder, 'ui:widget': 'select' },
    },
  )
  expect(screen.getAllByPlaceholderText('pay [RLO]001')).toHaveLength(3)
  expect(screen.getByRole('option', { name: 'pay [RLO]001' })).toBeTruthy()
})
