import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { accountApi } from './account-api.ts'
import { TwoFactor } from './two-factor.tsx'

/** Opens the dialog, and confirms it with a password. */
async function confirm(button: string, hasTwoFactor: boolean) {
  const person = { hasTwoFactor, signedInWith: 'password' }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ me: { person } } as never}>
        <TwoFactor />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
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
