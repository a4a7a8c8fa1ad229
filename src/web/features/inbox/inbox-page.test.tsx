import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { expect, test, vi } from 'vitest'
import { loaded, row } from '../../../../test/support/inbox-samples.ts'
import { openCountKey } from '../../lib/use-open-count.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { noInboxFilters } from '../../parts/task-list/inbox-filters.ts'
import { InboxPage } from './inbox-page.tsx'

const shown = vi.hoisted(() => ({ filters: {}, inbox: {} }))
const none = vi.hoisted(() => () => null)
vi.mock('./use-inbox-url.ts', () => ({ useInboxUrl: () => ({ filters: shown.filters }) }))
vi.mock('./use-inbox-events.ts', () => ({ useInboxEvents: none }))
vi.mock('./use-inbox.ts', () => ({ useInbox: () => shown.inbox }))
vi.mock('./use-read-ahead.ts', () => ({ useReadAhead: none }))
vi.mock('./inbox-bar.tsx', () => ({ InboxBar: ({ count }: { count: string }) => <p>{`Count: ${count}`}</p> }))
vi.mock('./inbox-list.tsx', () => ({ InboxList: none }))
vi.mock('./start-pane.tsx', () => ({ StartPane: () => <p>Overview</p> }))
vi.mock('../../lib/preload.ts', () => ({ onFirstPageShown: none, preloadWhenIdle: none }))
vi.mock('../../parts/shell/nav.tsx', () => ({
  Nav: ({ openCount }: { openCount: number }) => <p>{`Badge: ${openCount}`}</p>,
}))
vi.mock('../../parts/answers/answer-frame.tsx', () => ({
  AnswerFrame: ({ children }: PropsWithChildren) => children,
}))
vi.mock('../../parts/answers/use-send-answers.ts', () => ({ useSendAnswers: () => ({}) }))
vi.mock('../../parts/answers/use-answer-queue.ts', () => ({
  useAnsweredIds: () => new Set(),
  useAnswerQueue: () => ({ queue: {}, hidden: new Set(), answeredRevisions: new Map() }),
}))

/**
 * Shows the page for these filters, with a list of three rows. `isStale`: they belong to previous
 * filters.
 */
function show(filters: object, isStale: boolean, total?: object) {
  const client = new QueryClient()
  if (total) client.setQueryData(openCountKey('acme'), total)
  shown.filters = { ...noInboxFilters, ...filters }
  const state = loaded([row('a'), row('b'), row('c')])
  shown.inbox = { state, isStale, change: () => undefined, loadMore: () => undefined }
  const api = { inbox: () => new Promise(() => undefined) }
  const session = { api, workspaceId: 'acme', me: { person: { userId: 'mara' } } }
  render(
    <QueryClientProvider client={client}>
      <WorkspaceContext value={session as never}>
        <InboxPage />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
}

test('the count belongs to the filters', () => {
  show({ app: 'shop' }, false)
  screen.getByText('Count: 3 matching')
  cleanup()
  show({ app: 'shop' }, true)
  screen.getByText('Count: undefined')
})

test('the total is that of all tasks, also while All is loaded after a filtered list', () => {
  show({}, true, { open: 40, hasMore: false })
  screen.getByText('Badge: 40')
  expect(document.title).toContain('(40) Inbox')
})

test.each([{}, { app: 'shop' }])('with filters %o the title says where counting stopped', (filters) => {
  show(filters, Object.keys(filters).length === 0, { open: 1_284, hasMore: true })
  expect(document.title).toContain(`(${(1_284).toLocaleString()}+) Inbox`)
})

test('with filters there is no overview, because its figures are about the whole inbox', () => {
  show({}, false)
  screen.getByText('Overview')
  cleanup()
  show({ priority: 'low' }, false)
  expect(screen.queryByText('Overview')).toBeNull()
  screen.getByText('Open a task from the list')
})
