import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { forMe, noInboxFilters } from '../../parts/task-list/inbox-filters.ts'
import NoMatches from './no-matches.tsx'

vi.mock('@tanstack/react-router', () => ({ Link: () => null }))

const newTasks = 'New tasks that match appear here automatically.'

test.each([
  [{ app: 'refunds' }, 'No matching open tasks', newTasks],
  [forMe, 'No open tasks for you', '3 tasks are open that nobody has assigned to you or your groups.'],
  [{ snoozed: 'true' as const }, 'No snoozed tasks', undefined],
  [{ snoozed: 'true' as const, app: 'refunds' }, 'No matching snoozed tasks', undefined],
])('without tasks, the list with the filters %j says “%s”', (filters, title, text) => {
  const { container } = render(
    <WorkspaceContext value={{ workspaceId: 'acme' } as never}>
      <NoMatches
        filters={{ ...noInboxFilters, ...filters }}
        isForMe={filters === forMe}
        total={{ open: 3, hasMore: false }}
        isTaskDisplayed={false}
        onClear={() => undefined}
      />
    </WorkspaceContext>,
  )
  expect(screen.getByRole('heading').textContent).toBe(title)
  expect([...container.querySelectorAll('h2 + p:not(.above-12)')].map((p) => p.textContent)).toEqual(
    text === undefined ? [] : [text],
  )
})
