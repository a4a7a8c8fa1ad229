import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { OpenCount } from '../../lib/use-open-count.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { forMe, noInboxFilters } from '../../parts/task-list/inbox-filters.ts'
import NoMatches from './no-matches.tsx'

vi.mock('@tanstack/react-router', () => ({ Link: () => null }))

const newTasks = 'New tasks that match appear here automatically.'

type Shown = { total?: OpenCount | undefined; isTaskDisplayed?: boolean }

function show(filters: object, shown: Shown = {}) {
  const { total, isTaskDisplayed } = { total: { open: 3, hasMore: false }, isTaskDisplayed: false, ...shown }
  const onClear = vi.fn()
  const { container } = render(
    <WorkspaceContext value={{ workspaceId: 'acme' } as never}>
      <NoMatches
        filters={{ ...noInboxFilters, ...filters }}
        isForMe={filters === forMe}
        total={total}
        isTaskDisplayed={isTaskDisplayed}
        onClear={onClear}
      />
    </WorkspaceContext>,
  )
  const texts = [...container.querySelectorAll('h2 + p:not(.above-12)')].map((p) => p.textContent)
  return { texts, onClear }
}

test.each([
  [{ app: 'refunds' }, 'No matching open tasks', newTasks],
  [forMe, 'No open tasks for you', '3 tasks are open that nobody has assigned to you or your groups.'],
  [{ snoozed: 'true' as const }, 'No snoozed tasks', undefined],
  [{ snoozed: 'true' as const, app: 'refunds' }, 'No matching snoozed tasks', undefined],
])('without tasks, the list with the filters %j says “%s”', (filters, title, text) => {
  const { texts } = show(filters)
  expect(screen.getByRole('heading').textContent).toBe(title)
  expect(texts).toEqual(text === undefined ? [] : [text])
})

test('the list for this person says that it is empty also while the number of other tasks is unknown', () => {
  expect(show(forMe, { total: undefined }).texts).toEqual([newTasks])
  screen.getByRole('heading', { name: 'No open tasks for you' })
})

test('Enter shows all open tasks, but not while it applies to a displayed task', async () => {
  const displayed = show(forMe, { isTaskDisplayed: true })
  await userEvent.keyboard('{Enter}')
  expect(displayed.onClear).not.toHaveBeenCalled()
  cleanup()
  const { onClear } = show(forMe)
  await userEvent.keyboard('{Enter}')
  expect(onClear).toHaveBeenCalledOnce()
})
