import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { SlackPage } from './slack-page.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children, params }: { children: ReactNode; params: { page: string } }) => (
    <a href={`/settings/${params.page}`}>{children}</a>
  ),
}))

test('a member reads who can connect Slack, and where to link their own user', async () => {
  const slack = vi.fn()
  const api = { slack, members: async () => ({ members: [] }) }
  const me = { workspaces: [{ workspaceId: 'wsp_1', role: 'member' }] }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <SlackPage />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  await screen.findByText('Only admins and owners can connect Slack and choose channels.')
  expect(screen.queryByRole('button')).toBeNull()
  expect(slack).not.toHaveBeenCalled()
  const link = screen.getByRole('link', { name: 'Settings, Notifications' })
  expect(link.getAttribute('href')).toBe('/settings/notifications')
})
