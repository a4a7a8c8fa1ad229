import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { InviteForm } from './invite-form.tsx'

// Loaded lazily, which takes seconds on a busy machine.
beforeAll(() => import('../../ui/dialog-window.tsx'))

test('a failure in the dialog "Invite an owner?" is not shown by the form after Cancel', async () => {
  const api = {
    invite: async () => {
      throw new Error('The password is wrong.')
    },
  }
  const person = { email: 'mara@example.com', hasTwoFactor: false, signedInWith: 'password' }
  const me = { person, workspaces: [{ workspaceId: 'wsp_1', role: 'owner' }] }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <InviteForm onCreated={() => undefined} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  await userEvent.type(screen.getByLabelText('Email'), 'owner@example.com')
  await userEvent.selectOptions(screen.getByLabelText('Role'), 'owner')
  await userEvent.click(screen.getByRole('button', { name: 'Invite' }))
  await userEvent.type(await screen.findByLabelText('Your password'), 'wrong')
  await userEvent.keyboard('{Enter}')
  await screen.findByRole('alert')
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await screen.findByRole('button', { name: 'Invite' })
  expect(screen.queryByRole('alert')).toBeNull()
})
