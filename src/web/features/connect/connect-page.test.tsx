import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { PropsWithChildren } from 'react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { ConnectPage } from './connect-page.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: PropsWithChildren) => <a href="/settings">{children}</a>,
}))

const key = { keyId: 'key_1', name: 'refunds', firstCharacters: 'hrl_1', lastFour: 'abcd' }

function show(api: object, role = 'admin') {
  const me = { workspaces: [{ workspaceId: 'acme', role }] }
  const workspace = async () => ({})
  const members = async () => ({ members: [] })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <WorkspaceContext value={{ api: { workspace, members, ...api }, me, workspaceId: 'acme' } as never}>
        <ConnectPage />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
}

test('keys that are not loaded are not called missing, and can be loaded again after a failure', async () => {
  let fail: (error: Error) => void = () => undefined
  const apiKeys = vi.fn(() => new Promise<object>((_, reject) => (fail = reject)))
  show({ apiKeys })
  await vi.waitFor(() => expect(apiKeys).toHaveBeenCalledOnce())
  expect(screen.queryByText('Waiting for an API key.')).toBeNull()
  fail(new Error('The service could not be reached.'))
  await screen.findByText(/^The API keys couldn't be loaded\./)
  expect(screen.queryByText('Waiting for an API key.')).toBeNull()
  apiKeys.mockResolvedValue({ apiKeys: [] })
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('Waiting for an API key.')
})

test('a key that was created stays on the page while the keys are loaded again', async () => {
  const apiKeys = vi.fn(async () => ({ apiKeys: [] as object[] }))
  const createApiKey = async () => ({ ...key, key: 'hrl_1_secret_abcd' })
  show({ apiKeys, createApiKey })
  await userEvent.type(await screen.findByLabelText('Key name'), 'refunds')
  apiKeys.mockImplementation(() => new Promise(() => undefined))
  await userEvent.click(screen.getByRole('button', { name: 'Create key' }))
  await screen.findByText(/^Copy this key now\./)
  await vi.waitFor(() => expect(apiKeys).toHaveBeenCalledTimes(2))
  expect(screen.queryAllByRole('status').map(({ textContent }) => textContent)).toContain(
    'Waiting for the first call with hrl_1…abcd.',
  )
})

test('members see the steps without a request for the keys', async () => {
  const apiKeys = vi.fn()
  show({ apiKeys }, 'member')
  await screen.findByText('Ask an admin for an API key.')
  expect(apiKeys).not.toHaveBeenCalled()
})
