import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { HandrailProblem } from '../../../client/problem.ts'
import { api } from '../../lib/api.ts'
import { LinkAccountForm } from './link-account-form.tsx'

let data: object | undefined
vi.mock('../../lib/use-set-up-status.ts', () => ({ useSetUpStatus: () => ({ data }) }))
vi.mock('@tanstack/react-router', () => ({ Link: ({ to }: { to: string }) => <a href={to}>Forgot</a> }))

test.each([
  ['is not loaded', undefined, [0, 0]],
  ['has no reset by email', { passwordSignIn: true, resetsByMail: false }, [1, 0]],
  ['has reset by email', { passwordSignIn: true, resetsByMail: true }, [0, 1]],
])(
  'if the status of the service %s, the form says only how a password is really reset',
  (_, status, counts) => {
    data = status
    render(
      <QueryClientProvider client={new QueryClient()}>
        <LinkAccountForm email="mara@example.com" linkToken="t" resetsAccount={false} onSignedIn={vi.fn()} />
      </QueryClientProvider>,
    )
    const texts = screen.queryAllByText(/Ask the operator/).length
    expect([texts, screen.queryAllByRole('link', { name: 'Forgot' }).length]).toEqual(counts)
  },
)

test('an error is shown once, at its field, and an account with two-factor gets a field for the code', async () => {
  const details = { type: '', title: '', status: 400, detail: 'Invalid request.', requestId: '' }
  const refuse = (path: string, message: string) =>
    vi
      .spyOn(api, 'confirmSingleSignOn')
      .mockRejectedValue(
        new HandrailProblem({ ...details, code: 'invalid_request', errors: [{ path, message }] }),
      )
  refuse('password', 'Must be at most 128 characters.')
  render(
    <QueryClientProvider client={new QueryClient()}>
      <LinkAccountForm email="mara@example.com" linkToken="t" resetsAccount={false} onSignedIn={vi.fn()} />
    </QueryClientProvider>,
  )
  await userEvent.type(screen.getByLabelText('Password'), 'long')
  await userEvent.click(screen.getByRole('button', { name: 'Link and sign in' }))
  await screen.findByText('Must be at most 128 characters.')
  refuse('code', 'Enter a code.')
  await userEvent.click(screen.getByRole('button', { name: 'Link and sign in' }))
  expect((await screen.findAllByText(/Enter a code\./)).length).toBe(1)
  expect(screen.queryByText(/wasn't linked/)).toBeNull()
})
