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
  const page = (changed: object = {}) => (
    <QueryClientProvider client={queryClient}>
      <WorkspaceContext value={{ me: { person: { ...person, ...changed } } } as never}>
        <TwoFactor />
      </WorkspaceContext>
    </QueryClientProvider>
  )
  const { rerender } = render(page())
  return { turnOn: () => rerender(page({ hasTwoFactor: true })) }
}

/** Opens the dialog, and confirms it with a password. */
async function confirm(button: string, hasTwoFactor: boolean) {
  const shown = show(hasTwoFactor)
  fireEvent.click(screen.getByRole('button', { name: button }))
  fireEvent.submit((await screen.findByLabelText('Your password')).closest('form')!)
  return shown
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

test('whoever sets it up saves their recovery codes, and can then turn it off', async () => {
  const started = { totpURI: 'otpauth://totp/Handrail?secret=ABCDEFGH', backupCodes: ['one', 'two'] }
  vi.spyOn(accountApi, 'enableTwoFactor').mockResolvedValue(started)
  const confirmed = vi.spyOn(accountApi, 'confirmTwoFactor').mockResolvedValue(undefined as never)
  const { turnOn } = await confirm('Set up two-factor authentication', false)
  const code = await screen.findByLabelText('Code')
  screen.getByText('ABCD EFGH')
  fireEvent.change(code, { target: { value: '123456' } })
  fireEvent.submit(code.closest('form')!)
  await screen.findByText('one')
  expect(confirmed.mock.calls[0]?.[0]).toBe('123456')
  turnOn()
  expect(screen.queryByRole('button', { name: 'Turn off' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'I have saved these codes' }))
  screen.getByRole('button', { name: 'Turn off' })
  expect(screen.queryByText('one')).toBeNull()
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
