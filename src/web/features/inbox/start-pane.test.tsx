import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { PropsWithChildren } from 'react'
import { expect, test, vi } from 'vitest'
import { loaded, row } from '../../../../test/support/inbox-samples.ts'
import type { InboxRow } from '../../../contract/inbox.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { StartPane } from './start-pane.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: PropsWithChildren) => <a href="/task">{children}</a>,
}))
vi.mock('./today-figures.tsx', () => ({ default: () => <p>Figures</p> }))

const answered = row('answered', { review: { needed: 2, given: 1, answered: true } })

function show(rows: InboxRow[], due: InboxRow[] = [], soon = 0, queued: string[] = []) {
  const onOpen = vi.fn()
  const today = { due: { late: due.length - soon, soon, rows: due }, oldestOpenAt: null }
  const session = { api: { inboxToday: async () => today }, workspaceId: 'acme' }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={session as never}>
        <StartPane
          state={loaded(rows)}
          answered={new Set(queued)}
          listedCount={String(rows.length)}
          onOpen={onOpen}
        />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  return onOpen
}

test('a task that the person has answered, and that needs more answers, is not offered again', async () => {
  const onOpen = show([answered, row('next')], [answered])
  await screen.findByText('Figures')
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
  await userEvent.click(screen.getByRole('button'))
  expect(onOpen).toHaveBeenCalledWith('next')
  cleanup()
  show([answered])
  expect(screen.queryByRole('button')).toBeNull()
})

test('a due task whose answer can still be undone is not offered again', async () => {
  const due = row('due', { expiresAt: new Date(Date.now() + 1_200_000).toISOString() })
  show([row('next')], [due], 1, ['due'])
  await screen.findByText('Figures')
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
  expect(screen.getByRole('button').textContent).toContain('Start with the first task')
})

test('J is shown only if it opens the same task as the button', () => {
  show([row('first'), row('second')])
  expect(screen.getByRole('button').textContent).toContain('J')
  cleanup()
  show([answered, row('next')])
  expect(screen.getByRole('button').textContent).not.toContain('J')
})

test('the most urgent tasks show how late they are', () => {
  show([row('late', { answerBy: new Date(Date.now() - 8.5 * 60_000).toISOString() })])
  expect(screen.getByRole('link').textContent).toContain('8 min late')
})

test('a task that is due soon comes first, whatever its priority, and is the one to start with', async () => {
  const due = row('due', { priority: 'low', expiresAt: new Date(Date.now() + 1_200_000).toISOString() })
  const onOpen = show([row('urgent', { priority: 'urgent' }), row('next'), due], [due], 1)
  await screen.findByRole('heading', { level: 1, name: '1 task is due within half an hour' })
  expect(screen.getAllByRole('link').map((link) => link.querySelector('b')!.textContent)).toEqual([
    'due',
    'urgent',
    'next',
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Start with the one due first' }))
  expect(onOpen).toHaveBeenCalledWith('due')
})
