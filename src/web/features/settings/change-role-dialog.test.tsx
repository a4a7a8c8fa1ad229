import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { test } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { ChangeRoleDialog } from './change-role-dialog.tsx'

test.each([
  ['admin', /^You'll lose the permissions of owners\./],
  ['member', /^You'll lose the permissions of owners and admins\./],
] as const)('an owner who becomes %s is told all they lose', async (role, text) => {
  const person = { userId: 'usr_1', name: 'Olga Owner', role: 'owner' }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ me: { person } } as never}>
        <ChangeRoleDialog member={person as never} role={role} onClose={() => undefined} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  await screen.findByText(text)
})
