import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { accountApi } from './account-api.ts'
import { TwoFactor } from './two-factor.tsx'

function show(hasTwoFactor: boolean, passwordSignIn = true) {
  const person = { hasTwoFactor, signedInWith: passwordSignIn ? 'password' : 'single-sign-on' }
  const queryClient = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } },
  })
  queryClient.setQueryData(['set-up-status'], { passwordSignIn })
  render(
    <QueryClientProvider client={queryClient}>
      <WorkspaceContext value={{ me: { person } } as never}>
        <TwoFactor />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
}

/** Opens the dialog, and confirms it with a password. */
async function confirm(button: string, hasTwoFactor: boolean) {
  show(hasTwoFactor)
  fireEvent.click(screen.getByRole('button', { name: button }))
  fireEvent.submit((await screen.findByLabelText('Your password')).closest('form')!)
}

test('the heading gets the focus when setting up is cancelled', async () => {
  const started = { totpURI: 'otpauth://totp/Handrail?secret=ABCDEFGH', backupCodes: [] }
  vi.spyOn(accountApi, 'enableTwoFactor').mockResolvedValue(started)
  await confirm('Set up two-factor authentication', false)
  await screen.findByLabelText('Code')
  const cancel = screen.getByRole('button', { name: 'Cancel' })
  cancel.focus()
  fireEvent.click(cancel)
  expect(screen.queryByLabelText('Code')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Two-factor authentication' }))
})

test('the heading gets the focus when the recovery codes are saved', async () => {
  vi.spyOn(accountApi, 'generateRecoveryCodes').mockResolvedValue({ backupCodes: ['one', 'two'] } as never)
  await confirm('Generate recovery codes', true)
  const saved = await screen.findByRole('button', { name: 'I have saved these codes' })
  saved.focus()
  fireEvent.click(saved)
  expect(screen.queryByText('one')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: /^Two-factor authentication/ }))
})

test('where nobody signs in with a password, two-factor that is on is explained without one', async () => {
  show(true, false)
  screen.getByText('Sensitive changes require a code from your authenticator app.')
  fireEvent.click(screen.getByRole('button', { name: 'Turn off' }))
  await screen.findByText(/^Sensitive changes will no longer ask for a code, and your recovery codes/)
})
