import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { AccountPage } from './account-page.tsx'

vi.mock('./name-form.tsx', () => ({ NameForm: () => null }))
vi.mock('./password-form.tsx', () => ({ PasswordForm: () => null }))
vi.mock('./two-factor.tsx', () => ({ TwoFactor: () => null }))
vi.mock('./sign-in-sessions.tsx', () => ({ SignInSessions: () => null }))

test.each([true, false])('an address is verified by email only with passwords (%s)', (passwordSignIn) => {
  const queryClient = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } },
  })
  queryClient.setQueryData(['set-up-status'], { passwordSignIn, singleSignOn: 'Keycloak' })
  const me = { person: { email: 'mara@example.com', emailVerified: false } }
  render(
    <QueryClientProvider client={queryClient}>
      <WorkspaceContext value={{ me, workspaceId: 'wsp_1' } as never}>
        <AccountPage />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  expect(screen.queryAllByRole('button', { name: 'Send verification email' })).toHaveLength(
    passwordSignIn ? 1 : 0,
  )
  expect(screen.queryAllByText(/sign out and sign in with Keycloak/)).toHaveLength(passwordSignIn ? 0 : 1)
})
