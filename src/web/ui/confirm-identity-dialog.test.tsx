import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { HandrailProblem } from '../../client/problem.ts'
import { queryClient } from '../lib/query-client.ts'
import { WorkspaceContext } from '../lib/workspace.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { ConfirmIdentityDialog } from './confirm-identity-dialog.tsx'

const messages: [status: number, message: string][] = [
  [409, "The role wasn't changed."],
  [503, 'This may not have been completed.'],
  [0, 'This may not have been completed.'],
]

function problemOf(status: number, errors: object[] = []) {
  const problem = {
    type: 'about:blank',
    title: 'Failed',
    status,
    code: 'internal',
    detail: 'Something failed.',
  }
  return new HandrailProblem({ ...problem, requestId: '', errors } as never)
}

function show(onSubmit: () => Promise<unknown>, hasTwoFactor = false) {
  const person = { hasTwoFactor, signedInWith: 'password' }
  return render(
    <QueryClientProvider client={queryClient}>
      <WorkspaceContext value={{ me: { person } } as never}>
        <ConfirmIdentityDialog
          title="Change the role"
          description="Enter your password."
          confirmLabel="Change"
          failureMessage="The role wasn't changed."
          onSubmit={onSubmit}
          onClose={() => undefined}
        />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
}

test.each(messages)('after a failure with status %i the dialog says: %s', async (status, message) => {
  show(() => Promise.reject(problemOf(status)))
  fireEvent.submit((await screen.findByLabelText('Your password')).closest('form')!)
  expect((await screen.findByRole('alert')).textContent).toBe(`${message} Something failed.`)
})

test('a code that the service asked for stays after an error of another kind', async () => {
  const problems = [problemOf(400, [{ path: 'code', message: 'Enter a code.' }]), problemOf(0)]
  show(() => Promise.reject(problems.shift()))
  const form = (await screen.findByLabelText('Your password')).closest('form')!
  fireEvent.submit(form)
  const code = await screen.findByRole('textbox')
  fireEvent.change(code, { target: { value: '123456' } })
  fireEvent.submit(form)
  await screen.findByText(/This may not have been completed/)
  expect((screen.getByRole('textbox') as HTMLInputElement).value).toBe('123456')
})

test('the password that the service asks for is added, because two-factor was turned off in another tab', async () => {
  const confirm = vi.fn(() =>
    Promise.reject(problemOf(400, [{ path: 'password', message: 'Enter your password.' }])),
  )
  show(confirm, true)
  const code = await screen.findByLabelText('Two-factor code')
  expect(screen.queryByLabelText('Your password')).toBeNull()
  fireEvent.change(code, { target: { value: '123456' } })
  fireEvent.submit(code.closest('form')!)
  await screen.findByText('Enter your password.')
  fireEvent.change(screen.getByLabelText('Your password'), { target: { value: 'right' } })
  fireEvent.submit(code.closest('form')!)
  const given = { password: 'right', code: '123456' }
  await waitFor(() => expect(confirm).toHaveBeenLastCalledWith(given, expect.anything()))
})

test('a password is not kept after the dialog is closed', async () => {
  const { unmount } = show(() => Promise.reject(problemOf(409)))
  fireEvent.submit((await screen.findByLabelText('Your password')).closest('form')!)
  await screen.findByRole('alert')
  expect(queryClient.getMutationCache().getAll()).not.toEqual([])
  unmount()
  await waitFor(() => expect(queryClient.getMutationCache().getAll()).toEqual([]))
})

test('offline, a confirmation fails at once instead of being sent later', async () => {
  onlineManager.setOnline(false)
  const confirm = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
  render(
    <QueryClientProvider client={queryClient}>
      <ConfirmDialog
        title="Revoke the key?"
        description="Agents can't use it any more."
        confirmLabel="Revoke key"
        onConfirm={confirm}
        onClose={() => undefined}
      />
    </QueryClientProvider>,
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Revoke key' }))
  await screen.findByRole('alert')
  onlineManager.setOnline(true)
  expect(confirm).toHaveBeenCalledOnce()
})
