import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { HandrailProblem } from '../../client/problem.ts'
import { WorkspaceContext } from '../lib/workspace.ts'
import { ConfirmIdentityDialog } from './confirm-identity-dialog.tsx'

// The dialog's script is loaded on demand.
configure({ asyncUtilTimeout: 20_000 })
afterEach(cleanup)

const messages: [status: number, message: string][] = [
  [409, "The role wasn't changed."],
  [503, 'This may not have been completed.'],
  [0, 'This may not have been completed.'],
]

test.each(messages)('after a failure with status %i the dialog says: %s', async (status, message) => {
  const person = { hasTwoFactor: false, signedInWith: 'password' }
  const problem = new HandrailProblem({
    type: 'about:blank',
    title: 'Failed',
    status,
    code: 'internal',
    detail: 'Something failed.',
    requestId: '',
  })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ me: { person } } as never}>
        <ConfirmIdentityDialog
          title="Change the role"
          description="Enter your password."
          confirmLabel="Change"
          failureMessage="The role wasn't changed."
          onSubmit={() => Promise.reject(problem)}
          onClose={() => undefined}
        />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  fireEvent.submit((await screen.findByLabelText('Your password')).closest('form')!)
  expect((await screen.findByRole('alert')).textContent).toBe(`${message} Something failed.`)
})
