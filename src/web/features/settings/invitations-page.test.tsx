import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { test } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { InvitationsPage } from './invitations-page.tsx'

test.each([
  [
    true,
    /If this address has no account yet, anyone who has the link can join with a password, .* not verified\.$/,
  ],
  [false, /You won't be able to see it again\. To join, they sign in with Okta\.$/],
])('an invitation link says how people join with it, with passwords: %s', async (passwordSignIn, text) => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(['set-up-status'], { singleSignOn: 'Okta', passwordSignIn })
  const invited = {
    invitationId: 'inv_1',
    email: 'ana@example.com',
    role: 'member',
    link: 'https://h.example/i',
  }
  const api = {
    invitations: async () => ({ invitations: [] }),
    invite: async () => ({ ...invited, expiresAt: '2026-11-25T12:00:00.000Z' }),
  }
  const me = { person: {}, workspaces: [{ workspaceId: 'wsp_1', role: 'admin' }] }
  render(
    <QueryClientProvider client={client}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <InvitationsPage />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  await userEvent.type(screen.getByLabelText('Email'), 'ana@example.com')
  await userEvent.click(screen.getByRole('button', { name: 'Invite' }))
  await screen.findByText(text)
})
