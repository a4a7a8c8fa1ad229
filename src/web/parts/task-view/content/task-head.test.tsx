import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { TaskHead } from './task-head.tsx'

function show(status: MemberTaskRecord['status'], more: Partial<MemberTaskRecord> = {}) {
  const api = { members: async () => ({ members: [] }), claimTask: () => new Promise(() => undefined) }
  const session = {
    me: { person: { userId: 'usr_me', email: 'me@shop.example' } },
    workspaceId: 'wsp_1',
    api,
  }
  const task = {
    taskId: 'tsk_1',
    name: 'Accept the chargeback?',
    priority: 'normal',
    status,
    createdAt: new Date().toISOString(),
    answerBy: new Date(Date.now() + 19.5 * 60_000).toISOString(),
    ...more,
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={session as never}>
        <TaskHead task={task as MemberTaskRecord} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
}

test('only an open task says by when people should answer', () => {
  show('open')
  screen.getByText('19 min left')
  cleanup()
  show('handled')
  expect(screen.queryByText('19 min left')).toBeNull()
})

test('an open task says whether its answer is pushed to the agent', () => {
  const text = 'Answer is pushed to the agent'
  show('open', { delivery: 'sse' })
  screen.getByText(text)
  cleanup()
  show('open', { delivery: 'callback' })
  expect(screen.queryByText(text)).toBeNull()
})
