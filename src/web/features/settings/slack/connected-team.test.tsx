import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { ConnectedTeam } from './connected-team.tsx'

async function clickReplace(connectSlack = vi.fn(async (): Promise<unknown> => ({}))) {
  const connection = { teamName: 'Acme', connectedAt: '2026-01-01T00:00:00.000Z' } as never
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api: { connectSlack }, workspaceId: 'wsp_1' } as never}>
        <ConnectedTeam connection={connection} linkedPeople={0} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Replace token' }))
  expect(document.activeElement).toBe(screen.getByLabelText('Bot User OAuth Token'))
  return connectSlack
}

test('replacing the token can be cancelled, and the focus returns to its button', async () => {
  await clickReplace()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByLabelText('Bot User OAuth Token')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Replace token' }))
})

test('the form closes once the token is replaced', async () => {
  const connectSlack = await clickReplace()
  await userEvent.keyboard('xoxb-1')
  await userEvent.type(screen.getByLabelText('Signing Secret'), 'secret')
  await userEvent.click(screen.getByRole('button', { name: 'Replace token' }))
  await screen.findByRole('button', { name: 'Disconnect' })
  expect(connectSlack).toHaveBeenCalledOnce()
})

test('a token that is replaced later does not close a form that was opened again', async () => {
  let respond: (slack: object) => void = () => undefined
  const connectSlack = await clickReplace(vi.fn(() => new Promise((resolve) => (respond = resolve))))
  await userEvent.keyboard('xoxb-1')
  await userEvent.type(screen.getByLabelText('Signing Secret'), 'secret{Enter}')
  expect(connectSlack).toHaveBeenCalledOnce()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await userEvent.click(screen.getByRole('button', { name: 'Replace token' }))
  respond({})
  await new Promise((resolve) => setTimeout(resolve, 20))
  screen.getByLabelText('Bot User OAuth Token')
})
