import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { AccountPage } from './account-page.tsx'

vi.mock('./name-form.tsx', () => ({ NameForm: () => null }))
vi.mock('./password-form.tsx', () => ({ PasswordForm: () => null }))
vi.mock('./two-factor.tsx', () => ({ TwoFactor: () => <h2>Two-factor authentication</h2> }))
vi.mock('./sign-in-sessions.tsx', () => ({ SignInSessions: () => null }))

function show(status: object, hasTwoFactor = false) {
  const queryClient = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } },
  })
  queryClient.setQueryData(['set-up-status'], status)
  const me = { person: { email: 'mara@example.com', emailVerified: false, hasTwoFactor } }
  render(
    <QueryClientProvider client={queryClient}>
      <WorkspaceContext value={{ me, workspaceId: 'wsp_1' } as never}>
        <AccountPage />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
}

test.each([true, false])('an address is verified by email only with passwords (%s)', (passwordSignIn) => {
  show({ passwordSignIn, resetsByMail: true, singleSignOn: 'Keycloak' })
  expect(screen.queryAllByRole('button', { name: 'Send verification email' })).toHaveLength(
    passwordSignIn ? 1 : 0,
  )
  expect(screen.queryAllByText(/sign out and sign in with Keycloak/)).toHaveLength(passwordSignIn ? 0 : 1)
})

test.each([
  [undefined, /To verify it, ask the operator of this service to run handrail people verify/],
  [
    'Keycloak',
    /To verify it, sign out and sign in with Keycloak. Or ask the operator of this service to run handrail/,
  ],
])(
  'if the service sends no email, the page names the other ways (single sign-on: %s)',
  (singleSignOn, ways) => {
    show({ passwordSignIn: true, resetsByMail: false, singleSignOn })
    expect(screen.queryByRole('button', { name: 'Send verification email' })).toBeNull()
    expect(screen.getByText(/isn't verified/).textContent).toMatch(ways)
    expect(screen.queryByText(/We'll email you/)).toBeNull()
  },
)

test.each([
  [true, false, 1],
  [false, true, 1],
  [false, false, 0],
])(
  'with passwords (%s) or two-factor on (%s), the page has a section for it',
  (passwordSignIn, hasTwoFactor, count) => {
    show({ passwordSignIn, resetsByMail: true, singleSignOn: 'Keycloak' }, hasTwoFactor)
    expect(screen.queryAllByRole('heading', { name: 'Two-factor authentication' })).toHaveLength(count)
  },
)
