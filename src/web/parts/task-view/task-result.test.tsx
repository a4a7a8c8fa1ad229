import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { TaskDelivery } from '../../../contract/delivery.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { TaskResult } from './task-result.tsx'

afterEach(cleanup)

const soon = new Date(Date.now() + 4.5 * 60_000).toISOString()
const at = '2026-11-15T09:00:00.000Z'

function show(deliveries: Partial<TaskDelivery>[]) {
  const task = {
    taskId: 'tsk_1',
    status: 'handled',
    createdAt: at,
    context: { data: { drafts: [{ name: 'atlas' }, { name: 'birch' }] } },
    handled: {
      actionId: 'pick',
      actionTitle: 'Pick one',
      data: { winner: 'birch' },
      handledBy: 'mara@shop.example',
      handledAt: at,
      decidedBy: 'human',
      via: 'web',
      presented: { drafts: { order: [1, 0], blind: true } },
    },
  } as unknown as TaskRecord
  const api = { taskDeliveries: async () => ({ deliveries }) }
  const session = { me: {}, workspaceId: 'wsp_1', api } as never
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={session}>
        <TaskResult task={task} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
}

test('an answered task shows the answer, the person, and how a comparison was shown', async () => {
  show([])
  expect(screen.getByText('Pick one')).toBeTruthy()
  expect(screen.getByText('mara@shop.example')).toBeTruthy()
  expect(screen.getByRole('listitem').textContent).toBe(
    'drafts was shown without names, in the order birch, atlas',
  )
  expect(await screen.findByText(/The agent fetches the answer itself/)).toBeTruthy()
})

test.each([
  [{ state: 'pending', attemptCount: 0 }, 'Callback pending'],
  [
    { state: 'pending', attemptCount: 2, lastStatus: 503, nextAttemptAt: soon },
    'Callback pending, next attempt in 4 min2 attempts, status 503',
  ],
  [{ state: 'failed', attemptCount: 8 }, 'Callback failed, no more retries8 attempts, no response'],
  [{ state: 'delivered', attemptCount: 1, lastStatus: 204 }, 'Callback delivered1 attempt, status 204'],
] as const)('it shows the delivery status: %o', async (delivery, text) => {
  show([{ deliveryId: 'dlv_1', kind: 'callback', ...delivery }])
  const list = await screen.findByRole('list', { name: 'Deliveries' })
  expect(list.textContent).toBe(text)
})
