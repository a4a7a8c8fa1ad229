import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { HandrailProblem } from '../../client/problem.ts'
import { fieldError } from '../lib/problem.ts'
import { FormProblem } from './form-problem.tsx'
import { Strip } from './strip.tsx'
import { TextField } from './text-field.tsx'

test('an error that a field shows moves the focus to the first such field, once', () => {
  const problem = new HandrailProblem({
    type: 'about:blank',
    title: 'Invalid',
    status: 422,
    code: 'invalid_request',
    detail: 'Check the fields.',
    requestId: '',
    errors: [
      { path: 'second', message: 'This is wrong.' },
      { path: 'third', message: 'This is wrong, too.' },
    ],
  })
  const form = (shown: HandrailProblem | null) => (
    <form>
      {['first', 'second', 'third'].map((name) => (
        <TextField key={name} label={name} name={name} error={fieldError(shown, name)} />
      ))}
      <button type="submit">Save</button>
      <FormProblem message="Not saved." problem={shown} fields={['first', 'second', 'third']} />
    </form>
  )
  const { rerender } = render(form(null))
  screen.getByRole('button').focus()
  rerender(form(problem))
  expect(document.activeElement).toBe(screen.getByLabelText('second'))
  screen.getByLabelText('first').focus()
  rerender(form(problem))
  expect(document.activeElement).toBe(screen.getByLabelText('first'))
})

test('screen readers announce a success, but not what a page shows from the start', async () => {
  render(<Strip tone="info">No MCP server is configured.</Strip>)
  render(<Strip tone="success">Your name was changed.</Strip>)
  await vi.waitFor(() => expect(screen.getByRole('status').textContent).toBe('Your name was changed.'))
})
