import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { WorkspacePage } from './workspace-page.tsx'

// Loaded lazily, which takes seconds on a busy machine.
beforeAll(() => import('../../ui/dialog-window.tsx'))

const workspace = {
  workspaceId: 'wsp_1',
  name: 'Acme',
  retentionDays: null,
  maxKeyDays: null,
  defaultKeyScopes: ['tasks'],
  requiresTwoFactor: false,
  createdAt: '2026-01-01T00:00:00.000Z',
}

async function showPage(changeWorkspace = vi.fn(async (change: object) => ({ ...workspace, ...change }))) {
  const client = new QueryClient()
  const api = { workspace: async () => workspace, changeWorkspace }
  const me = { workspaces: [{ workspaceId: 'wsp_1', role: 'owner' }] }
  render(
    <QueryClientProvider client={client}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <WorkspacePage />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  await screen.findByLabelText('Workspace name')
  return { client, changeWorkspace }
}

test.each([
  ['Workspace name', { name: 'Acme2' }, 'The workspace was renamed.'],
  ['Longest lifetime of API keys in days', { maxKeyDays: 2 }, 'The settings for API keys were saved.'],
])('after saving with Enter the focus stays in the field: %s', async (label, change, message) => {
  const { changeWorkspace } = await showPage()
  const field = screen.getByLabelText(label)
  await userEvent.type(field, '2{Enter}')
  await screen.findByText(message, { selector: '.strip > span' })
  expect(changeWorkspace).toHaveBeenCalledWith(expect.objectContaining(change))
  expect(document.activeElement).toBe(field)
})

test('a change by another owner is shown', async () => {
  const { client } = await showPage()
  act(() => client.setQueryData(['workspace', 'wsp_1'], { ...workspace, name: 'Acme Inc', maxKeyDays: 30 }))
  await screen.findByDisplayValue('Acme Inc')
  screen.getByDisplayValue('30')
})

test('the dialog about two-factor authentication keeps its meaning when the setting changes', async () => {
  const { client } = await showPage()
  await userEvent.click(screen.getByRole('switch', { name: 'Require two-factor authentication' }))
  await screen.findByRole('button', { name: 'Require two-factor' })
  act(() => client.setQueryData(['workspace', 'wsp_1'], { ...workspace, requiresTwoFactor: true }))
  await vi.waitFor(() => expect(document.querySelector('[role=switch][aria-checked=true]')).not.toBeNull())
  screen.getByRole('dialog', { name: 'Require two-factor authentication?' })
})

test('the button says that API key settings are being saved', async () => {
  await showPage(vi.fn(() => new Promise<never>(() => undefined)))
  await userEvent.click(screen.getByRole('button', { name: 'Save API key settings' }))
  await screen.findByRole('button', { name: 'Saving…' })
})
