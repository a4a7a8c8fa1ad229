import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { ApiKeysPage } from './api-keys-page.tsx'

test('a key is created only once the limits of the workspace are known', async () => {
  const workspace = vi.fn().mockRejectedValueOnce(new Error('The service could not be reached.'))
  workspace.mockResolvedValue({ workspaceId: 'wsp_1', defaultKeyScopes: ['tasks:read'], maxKeyDays: 30 })
  const createApiKey = vi.fn(() => new Promise(() => undefined))
  const api = { workspace, createApiKey, apiKeys: async () => ({ apiKeys: [] }) }
  const me = { workspaces: [{ workspaceId: 'wsp_1', role: 'admin' }] }
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <ApiKeysPage />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  const retry = await screen.findByRole('button', { name: 'Try again' })
  expect(screen.queryByRole('button', { name: 'Create key' })).toBeNull()
  await userEvent.click(retry)
  await userEvent.type(await screen.findByLabelText('Key name'), 'agent')
  screen.getByRole('option', { name: 'In 30 days' })
  expect(screen.queryByRole('option', { name: 'Never' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Create key' }))
  const key = { name: 'agent', scopes: ['tasks:read'] }
  expect(createApiKey).toHaveBeenCalledWith(expect.objectContaining(key), expect.anything())
})

test('the list shows what a key may do and until when, and revoking says when it was last used', async () => {
  const [createdAt, expiresAt] = [
    new Date().toISOString(),
    new Date(Date.now() + 5_184_000_000).toISOString(),
  ]
  const key = { keyId: 'key_1', name: 'reader', firstCharacters: 'hrl_', lastFour: 'abcd', createdBy: 'olga' }
  const apiKeys = [{ ...key, scopes: ['tasks:read'], createdAt, expiresAt }]
  const usedKeys = [{ ...apiKeys[0], lastUsedAt: createdAt }]
  const listKeys = vi.fn().mockResolvedValueOnce({ apiKeys }).mockResolvedValue({ apiKeys: usedKeys })
  const api = { apiKeys: listKeys, workspace: async () => ({ defaultKeyScopes: ['tasks'] }) }
  const me = { workspaces: [{ workspaceId: 'wsp_1', role: 'admin' }] }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <ApiKeysPage />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  const row = (await screen.findByText('reader')).closest('li')!.textContent
  expect(row).toMatch(/hrl_…abcd tasks:read.*never used.*expires/)
  await userEvent.click(screen.getByRole('button', { name: /^Revoke/ }))
  await screen.findByText(/It was last used just now\./)
})

test('members read who can create a key and whom to ask, without a request for the keys', async () => {
  const members = [{ name: 'Olga Owner', role: 'owner' }]
  const api = { members: async () => ({ members }), apiKeys: vi.fn(), workspace: vi.fn() }
  const me = { workspaces: [{ workspaceId: 'wsp_1', role: 'member' }] }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <ApiKeysPage />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  await screen.findByText('Only admins and owners can view and create API keys. Ask Olga Owner.')
  expect(screen.queryByRole('button', { name: 'Create key' })).toBeNull()
  expect([api.apiKeys, api.workspace].flatMap(({ mock }) => mock.calls)).toEqual([])
})
