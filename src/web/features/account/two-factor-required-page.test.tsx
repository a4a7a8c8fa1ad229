import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { TwoFactorRequiredPage } from './two-factor-required-page.tsx'

vi.mock('@tanstack/react-router', () => ({ useLocation: () => '/w/wsp_1/inbox' }))
vi.mock('../../parts/shell/use-sign-out.tsx', () => ({ useSignOut: () => ({}) }))

test.each([
  [true, 'Sign in again and use one there, or sign in with your password and a code.'],
  [false, 'Sign in again and use one there.'],
])('whoever used single sign-on signs in again (with passwords: %s)', (passwordSignIn, way) => {
  const queryClient = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } },
  })
  queryClient.setQueryData(['set-up-status'], { singleSignOn: 'Okta', passwordSignIn })
  const me = {
    person: { signedInWith: 'single-sign-on' },
    workspaces: [{ workspaceId: 'wsp_1', name: 'Acme' }],
  }
  render(
    <QueryClientProvider client={queryClient}>
      <WorkspaceContext value={{ me, workspaceId: 'wsp_1' } as never}>
        <TwoFactorRequiredPage isNeeded onContinue={() => undefined} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  expect(screen.getByRole('heading').textContent).toBe('Sign in with a second factor to continue')
  screen.getByText(`Okta didn't confirm a second factor for this sign-in. ${way}`)
  screen.getByRole('button', { name: 'Sign in again' })
})

test.each([
  ['set it up', true, 'Two-factor authentication is on'],
  ['no longer have to', false, 'You can continue'],
])('people who %s are told so', (_, hasTwoFactor, heading) => {
  const me = {
    person: { signedInWith: 'password', hasTwoFactor },
    workspaces: [{ workspaceId: 'wsp_1', name: 'Acme' }],
  }
  const queryClient = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } },
  })
  queryClient.setQueryData(['set-up-status'], { passwordSignIn: true })
  render(
    <QueryClientProvider client={queryClient}>
      <WorkspaceContext value={{ me, workspaceId: 'wsp_1' } as never}>
        <TwoFactorRequiredPage isNeeded={false} onContinue={() => undefined} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  screen.getByRole('heading', { name: heading })
  screen.getByRole('button', { name: 'Continue to Acme' })
})
