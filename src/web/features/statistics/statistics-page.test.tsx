import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { StatisticsPage } from './statistics-page.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: () => null,
  useNavigate: () => () => undefined,
  useSearch: () => ({}),
}))
vi.mock('../../parts/shell/nav.tsx', () => ({ Nav: () => null }))

test.each([
  ['admin', 1],
  ['member', 0],
])('tasks can be exported only by admins: %s', (role, buttons) => {
  const never = () => new Promise(() => undefined)
  const api = { statistics: never, inboxFacets: never, members: never }
  const me = { workspaces: [{ workspaceId: 'wsp_1', role }] }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <StatisticsPage />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  screen.getByRole('heading', { name: 'Statistics' })
  expect(screen.queryAllByRole('button', { name: 'Export' })).toHaveLength(buttons)
})
