import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createRef } from 'react'
import { expect, test, vi } from 'vitest'
import SchemaForm, { type FormHandle } from './schema-form.tsx'

vi.mock('./check-in-worker.ts', () => ({ startChecker: () => undefined, checkInWorker: async () => [] }))

const labels = { type: 'object', additionalProperties: { type: 'string' } }

function form(schema: Record<string, unknown>, ui?: Record<string, unknown>) {
  const handle = createRef<FormHandle>()
  const [onEnter, onChange] = [vi.fn(), vi.fn()]
  const on = { onEnter, onChange }
  render(<SchemaForm schema={schema} ui={ui} context={undefined} autoFocus handle={handle} {...on} />)
  return { check: () => handle.current!.check(), onEnter, onChange }
}

async function typeName(text: string) {
  await userEvent.click(screen.getByRole('button', { name: 'Add field' }))
  const name = screen.getByRole('textbox', { name: 'Field name: newKey' })
  await userEvent.clear(name)
  await userEvent.type(name, text)
}

test('Enter in the name of an additional field takes it over and continues with its value', async () => {
  const { check, onEnter } = form(labels)
  await typeName('color{Enter}')
  expect(onEnter).not.toHaveBeenCalled()
  await userEvent.clear(document.activeElement!)
  await userEvent.keyboard('red')
  expect((await check()).data).toEqual({ color: 'red' })
})

test('an answer that is sent while a name is being typed contains that name', async () => {
  const { check } = form(labels)
  await typeName('color')
  expect(Object.keys((await check()).data)).toEqual(['color'])
})

test('adding, naming and removing an additional field change the draft', async () => {
  const { onChange } = form(labels)
  const draftedNames = () => Object.keys(onChange.mock.lastCall?.[0])
  await typeName('color')
  expect(draftedNames()).toEqual(['newKey'])
  await userEvent.keyboard('{Enter}')
  expect(draftedNames()).toEqual(['color'])
  await userEvent.click(screen.getByRole('button', { name: 'Remove color' }))
  expect(draftedNames()).toEqual([])
})

test('the first field that can take the focus takes it', () => {
  const text = (title: string) => ({ type: 'string', title })
  form(
    {
      type: 'object',
      properties: {
        id: { ...text('ID'), default: 'x' },
        source: { ...text('Source'), enum: ['a', 'b'], readOnly: true },
        reason: text('Reason'),
      },
    },
    { id: { 'ui:widget': 'hidden' }, source: { 'ui:widget': 'radio' } },
  )
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /Reason/ }))
})
