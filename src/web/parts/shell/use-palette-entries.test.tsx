import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { setPreference } from '../../lib/preferences.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { usePaletteEntries } from './use-palette-entries.ts'

const navigate = vi.hoisted(() => vi.fn())
vi.mock('@tanstack/react-router', () => ({ useNavigate: () => navigate }))

afterEach(() => setPreference('theme', 'system'))

function entriesOf(role: string) {
  const api = { inboxFacets: async () => ({}) }
  const workspaces = [
    { workspaceId: 'acme', name: 'Acme', role },
    { workspaceId: 'shop', name: 'Shop', role },
  ]
  const session = { api, workspaceId: 'acme', me: { person: { userId: 'mara' }, workspaces } }
  const wrapper = ({ children }: PropsWithChildren) => (
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={session as never}>{children}</WorkspaceContext>
    </QueryClientProvider>
  )
  const { result } = renderHook(usePaletteEntries, { wrapper })
  return {
    labels: result.current.map(({ group, label }) => `${group}: ${label}`),
    run: (label: string) => result.current.find((entry) => entry.label === label)!.run(),
  }
}

test('the palette opens settings pages and other workspaces', () => {
  const { labels, run } = entriesOf('member')
  run('Webhooks')
  const page = { to: '/w/$workspaceId/settings/$page', params: { workspaceId: 'acme', page: 'webhooks' } }
  expect(navigate).toHaveBeenLastCalledWith(page)
  run('Shop')
  expect(navigate).toHaveBeenLastCalledWith({ to: '/w/$workspaceId/inbox', params: { workspaceId: 'shop' } })
  expect(labels).not.toContain('Workspace: Acme')
})

test('the palette switches the theme', () => {
  const { run } = entriesOf('member')
  run('Dark theme')
  expect(document.documentElement.classList.contains('dark')).toBe(true)
  run('Light theme')
  expect(document.documentElement.classList.contains('dark')).toBe(false)
})

test('only admins and owners can pause all rules', () => {
  expect(entriesOf('member').labels).not.toContain('Commands: Pause all rules')
  expect(entriesOf('admin').labels).toContain('Commands: Pause all rules')
})
