import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { FirstCall } from './first-call.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: PropsWithChildren) => <a href="/settings">{children}</a>,
}))

test.each([
  ['member', 'Ask an admin for an API key.'],
  ['admin', 'Waiting for an API key.'],
])('without keys, the role %s reads "%s"', (role, text) => {
  const me = { workspaces: [{ workspaceId: 'acme', role }] }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api: {}, me, workspaceId: 'acme' } as never}>
        <FirstCall createdKey={undefined} usedKey={undefined} hasKeys={false} onTestSent={() => undefined} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  expect(screen.getByRole('status').textContent).toBe(text)
})

test('the status names no age, which would be announced with every tick', () => {
  const me = { workspaces: [{ workspaceId: 'acme', role: 'admin' }] }
  const usedKey = { firstCharacters: 'hrl_1', lastFour: 'abcd', lastUsedAt: '2026-11-03T10:00:00Z' }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api: {}, me, workspaceId: 'acme' } as never}>
        <FirstCall createdKey={undefined} usedKey={usedKey as never} hasKeys onTestSent={() => undefined} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  const text = 'An agent has called with hrl_1…abcd. Tasks that your agent creates appear in your inbox.'
  expect(screen.getByRole('status').textContent).toBe(text)
})
