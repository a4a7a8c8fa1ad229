import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { PropsWithChildren } from 'react'
import { beforeAll, expect, test, vi } from 'vitest'
import { rememberList } from '../../lib/chosen-list.ts'
import { setPreference } from '../../lib/preferences.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { type InboxFilters, noInboxFilters } from '../../parts/task-list/inbox-filters.ts'
import { InboxBar } from './inbox-bar.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: PropsWithChildren) => <a href="/inbox">{children}</a>,
}))
vi.mock('../../parts/task-list/list-bar.tsx', () => ({ ListBar: () => null }))
// Loaded lazily, which takes seconds on a busy machine.
beforeAll(() =>
  Promise.all([
    import('./view-tabs.tsx'),
    import('./save-view-dialog.tsx'),
    import('../../ui/dialog-window.tsx'),
  ]),
)

const barProps = {
  isSubheading: false,
  count: undefined,
  snoozedCount: 0,
  onFilter: () => undefined,
  onSubmitSearch: () => undefined,
  onLeaveSearch: () => undefined,
}
const [refunds, orders] = [{ app: 'refunds' }, { app: 'orders' }]

function setUp({ userId, views = [] }: { userId: string; views?: { name: string; filters: object }[] }) {
  const saveViews = vi.fn(async () => ({ views: [], shared: [] }))
  const counted = views.map((view) => ({ ...view, open: 1, hasMore: false }))
  const api = {
    views: async () => ({ views: counted, shared: [] }),
    groups: async () => ({ groups: [] }),
    saveViews,
  }
  const me = { person: { userId, email: `${userId}@acme.example` }, workspaces: [] }
  const client = new QueryClient()
  const bar = (filters: InboxFilters) => (
    <QueryClientProvider client={client}>
      <WorkspaceContext value={{ api, workspaceId: 'acme', me } as never}>
        <InboxBar {...barProps} filters={filters} />
      </WorkspaceContext>
    </QueryClientProvider>
  )
  const { rerender } = render(bar({ ...noInboxFilters, ...views[0]?.filters }))
  return { saveViews, show: (filters: object) => rerender(bar({ ...noInboxFilters, ...filters })) }
}

test('who has started with “For me” can return to it from All, also without a group', async () => {
  rememberList('dee', 'acme', 'all')
  setUp({ userId: 'dee' })
  await screen.findByText('For me')
})

test('the dialog removes the view whose button was pressed, whatever is shown under it', async () => {
  const views = [
    { name: 'Refunds', filters: refunds },
    { name: 'Orders', filters: orders },
  ]
  const { saveViews, show } = setUp({ userId: 'mara', views })
  await userEvent.click(await screen.findByRole('button', { name: 'Remove view Refunds' }))
  show(orders)
  await screen.findByText('Remove view Refunds?')
  await userEvent.click(screen.getByRole('button', { name: 'Remove view' }))
  await vi.waitFor(() =>
    expect(saveViews).toHaveBeenCalledWith({ views: [{ name: 'Orders', filters: orders }] }),
  )
})

test('going back closes the dialog, which would save the filters of another list', async () => {
  const { show } = setUp({ userId: 'mara' })
  show(refunds)
  await userEvent.click(await screen.findByRole('button', { name: 'Save view' }))
  await screen.findByRole('dialog', { name: 'Save view' })
  act(() => void window.dispatchEvent(new PopStateEvent('popstate')))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the hint of a button names its key only while single keys are on', async () => {
  const { show } = setUp({ userId: 'mara' })
  show(refunds)
  const button = await screen.findByRole('button', { name: 'Save view' })
  expect(button.title).toBe('Save view (V)')
  act(() => setPreference('singleKeys', 'off'))
  expect(button.title).toBe('Save view')
  act(() => setPreference('singleKeys', 'on'))
})
