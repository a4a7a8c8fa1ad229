import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { answerQueueOf } from '../../lib/answer-queue.ts'
import type { Answer } from '../../lib/send-answer.ts'
import { localMidnight } from '../../lib/time.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { useAnswerSync } from '../../parts/answers/use-answer-sync.ts'
import EmptyInbox from './empty-inbox.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: PropsWithChildren) => <a href="/handled">{children}</a>,
}))
afterEach(() => {
  vi.useRealTimers()
})

const person = { userId: 'usr_1', email: 'mara@shop.example' }
const today = { handled: 1, handledByMe: 1, medianSeconds: null, hasMoreAnswers: false }

function SyncedInbox() {
  useAnswerSync(person)
  return <EmptyInbox />
}

function renderWith(inboxToday: (since: string) => Promise<typeof today>): void {
  const api = { inboxToday, listTasks: async () => ({ tasks: [{}] }) }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, workspaceId: 'acme' } as never}>
        <SyncedInbox />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
}

test('after midnight, the answers of the day before are not shown as those of today', async () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 18, 23, 59, 30) })
  const yesterday = localMidnight()
  renderWith(async (since) => ({ ...today, handled: since === yesterday ? 12 : 1 }))
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  screen.getByText(/^12 answered today/)
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  screen.getByText(/^1 answered today/)
})

test('if not all answers were counted, both figures have a plus', async () => {
  renderWith(async () => ({ ...today, handled: 90, handledByMe: 7, hasMoreAnswers: true }))
  await screen.findByText('90+ answered today, 7+ by you.')
})

test('“My answers today” is offered only if there may be some', async () => {
  renderWith(async () => ({ ...today, handled: 3, handledByMe: 0 }))
  await screen.findByText('3 answered today, 0 by you.')
  expect(screen.queryByText('My answers today')).toBeNull()
  cleanup()
  renderWith(async () => today)
  await screen.findByText('My answers today')
})

test('the last answer, which is sent only after the undo time, is counted once it is sent', async () => {
  let handled = 0
  renderWith(async () => ({ ...today, handled, handledByMe: handled }))
  await screen.findByText('New tasks appear here automatically.')
  handled = 1
  answerQueueOf(person).onSettled({ workspaceId: 'acme', taskId: 'tsk_1' } as Answer, undefined)
  await screen.findByText('1 answered today, 1 by you.')
})
