import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createRef } from 'react'
import { expect, test, vi } from 'vitest'
import { Violations } from '../../../contract/violation.ts'
import { describeErrors } from './error-line.tsx'
import SchemaForm, { type FormHandle } from './schema-form.tsx'

vi.mock('./check-in-worker.ts', () => ({ startChecker: () => undefined, checkInWorker: async () => [] }))

test.each([
  [1, '1 field needs your attention'],
  [2, '2 fields need your attention'],
  [60, '49 or more fields need your attention'],
])('of %i invalid fields, the line says how many are known', (count, text) => {
  const form = document.createElement('div')
  form.innerHTML = '<div class="form-field"><input aria-invalid="true"></div>'
  const errors = new Violations()
  for (let n = 0; n < count; n++) errors.add(`items[${n}]`, 'Must be at least 3 characters.')
  expect(describeErrors(form, errors.list, true)?.text).toBe(text)
})

test('a check of earlier errors does not remove what the service refuses meanwhile', async () => {
  const handle = createRef<FormHandle>()
  const schema = { type: 'object', properties: { note: { type: 'string' } } }
  render(<SchemaForm schema={schema} ui={undefined} context={undefined} handle={handle} />)
  const refuse = (message: string) =>
    handle.current!.showErrors([{ path: 'note', rule: 'pattern', message }] as never)
  refuse('must be longer')
  await screen.findByText('must be longer')
  await userEvent.type(screen.getByRole('textbox'), 'x')
  refuse('must be a sentence')
  await new Promise((resolve) => setTimeout(resolve, 350))
  screen.getByText('must be a sentence')
})
