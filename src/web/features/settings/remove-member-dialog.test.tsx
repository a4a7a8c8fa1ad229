import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { beforeAll, expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'

// Loaded lazily, which takes seconds on a busy machine.
beforeAll(() => import('../../ui/dialog-window.tsx'))

vi.mock('@tanstack/react-router', () => ({ useNavigate: () => () => undefined }))

test.each(['member', 'admin'])('a %s who leaves is told what becomes of their keys', async (role) => {
  const member = { userId: 'usr_1', email: 'mara@example.com', name: 'Mara', role }
  const me = { person: member, workspaces: [{ workspaceId: 'wsp_1', role }] }
  const key = {
    keyId: 'key_1',
    name: 'refunds',
    createdBy: member.email,
    firstCharacters: 'hrl_',
    lastFour: '1234',
  }
  const api = { apiKeys: async () => ({ apiKeys: [key] }) }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <RemoveMemberDialog member={member as never} onClose={() => undefined} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  await screen.findByRole('button', { name: 'Leave workspace' })
  const isAdmin = role === 'admin'
  expect(screen.queryAllByText(/^API keys that you created as an admin stay valid\./)).toHaveLength(
    isAdmin ? 0 : 1,
  )
  expect(screen.queryAllByRole('checkbox', { name: /^Revoke refunds/ })).toHaveLength(isAdmin ? 1 : 0)
})
