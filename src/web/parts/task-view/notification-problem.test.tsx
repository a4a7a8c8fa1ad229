import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { test } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { NotificationProblem } from './notification-problem.tsx'
// Loaded before the tests, which wait for a second only.
import './undelivered-strip.tsx'

const retried = { kind: 'chat', state: 'pending', attemptCount: 1 }
const failed = { kind: 'mail', state: 'failed', attemptCount: 3 }

test.each([
  [
    'a message that has failed is named before one that is retried',
    [retried, failed],
    "An email about this task couldn't be delivered.",
  ],
  [
    'one that is retried is not called failed',
    [retried],
    "The chat message about this task hasn't been delivered yet.",
  ],
])('%s', async (_, deliveries, text) => {
  const me = { workspaces: [{ workspaceId: 'wsp_1', role: 'member' }] }
  const api = { taskDeliveries: async () => ({ deliveries }) }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <NotificationProblem task={{ taskId: 'tsk_1' } as never} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  await screen.findByText((content) => content.startsWith(text))
})
