import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { TaskDelivery } from '../../../../contract/delivery.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import TaskResult from './task-result.tsx'

// Answers are loaded lazily, which takes long on a busy machine.

const soon = new Date(Date.now() + 4.5 * 60_000).toISOString()
const at = '2026-11-15T09:00:00.000Z'

const handled = {
  actionId: 'pick',
  actionTitle: 'Pick one',
  data: { winner: 'birch' },
  handledBy: 'mara@shop.example',
  handledAt: at,
  decidedBy: 'human',
  via: 'web',
  presented: { drafts: { order: [1, 0], blind: true } },
}
const schema = {
  type: 'object',
  properties: { winner: { title: 'Winner', oneOf: [{ const: 'birch', title: 'Birch draft' }] } },
}

function show(deliveries: Partial<TaskDelivery>[], changes: object = {}) {
  showLoading(async () => ({ deliveries }), changes)
}

function showLoading(taskDeliveries: () => Promise<unknown>, changes: object = {}) {
  const task = {
    taskId: 'tsk_1',
    status: 'handled',
    createdAt: at,
    context: { data: { drafts: [{ name: 'atlas' }, { name: 'birch' }] } },
    actions: [{ id: 'pick', title: 'Pick one', schema }],
    handled,
    ...changes,
  } as unknown as TaskRecord
  const members = async () => ({ members: [] })
  const session = { me: {}, workspaceId: 'wsp_1', api: { taskDeliveries, members } } as never
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <WorkspaceContext value={session}>
        <TaskResult task={task} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
}

test('an answer that was given in Slack says so', () => {
  show([], { handled: { ...handled, via: 'slack' } })
  screen.getByText(/in Slack,/)
})

test('an answered task shows the answer, the person, and how a comparison was shown', async () => {
  show([])
  expect(screen.getByText('Pick one')).toBeTruthy()
  expect(screen.getByText('mara@shop.example')).toBeTruthy()
  expect(screen.getByRole('listitem').textContent).toBe(
    'Drafts: shown without names, in the order birch, atlas',
  )
  expect(await screen.findByText(/the agent fetches the result itself/)).toBeTruthy()
})

test.each([
  [{ state: 'pending', attemptCount: 0 }, 'Callback (answer) pending'],
  [
    { state: 'pending', attemptCount: 2, lastStatus: 503, nextAttemptAt: soon },
    'Callback (answer) pending, next attempt in 4 min2 attempts, status 503',
  ],
  [{ state: 'failed', attemptCount: 0 }, 'Callback (answer) not sent'],
  [{ state: 'failed', attemptCount: 8 }, 'Callback (answer) failed, no more retries8 attempts, no response'],
  [
    { state: 'delivered', attemptCount: 1, lastStatus: 204 },
    'Callback (answer) delivered1 attempt, status 204',
  ],
] as const)('it shows the delivery status: %o', async (delivery, text) => {
  show([{ deliveryId: 'dlv_1', kind: 'callback', eventType: 'service/task_handled', ...delivery }])
  const list = await screen.findByRole('list', { name: 'Deliveries' })
  expect(list.textContent).toBe(text)
})

const email = {
  deliveryId: 'dlv_2',
  kind: 'mail',
  eventType: 'service/task_created',
  state: 'delivered',
  attemptCount: 1,
  lastStatus: 250,
} as const

test('notifications of people are listed apart from deliveries to the agent', async () => {
  show([email])
  const list = await screen.findByRole('list', { name: 'Notifications' })
  expect(list.textContent).toBe('Email to a member (new task) delivered1 attempt, status 250')
  expect(screen.getByText('No callback: the agent fetches the result itself.')).toBeTruthy()
  expect(screen.queryByRole('list', { name: 'Deliveries' })).toBeNull()
})

test('a notification that was refused before anything was sent does not blame its receiver', async () => {
  show([{ ...email, state: 'failed', lastStatus: undefined } as never])
  const list = await screen.findByRole('list', { name: 'Notifications' })
  expect(list.textContent).toBe('Email to a member (new task) not sent')
})

test('a notification that was no longer needed is not called delivered', async () => {
  show([{ ...email, lastStatus: undefined } as never])
  const list = await screen.findByRole('list', { name: 'Notifications' })
  expect(list.textContent).toBe('Email to a member (new task) not sent, because it was no longer needed')
})

test('a cancelled task does not say by whom, because members can cancel tasks too', () => {
  show([], { status: 'cancelled', handled: undefined, cancelled: { at, reason: 'Settled' } })
  expect(screen.getByText(/: Settled$/).textContent).not.toContain('agent')
})

test('an expired task has no result that the agent could fetch', async () => {
  show([email], { status: 'expired', handled: undefined })
  await screen.findByRole('list', { name: 'Notifications' })
  expect(screen.queryByText(/the agent fetches/)).toBeNull()
})

test.each([
  [undefined, 2, 'Nobody answered before the deadline.'],
  [{ needed: 2, given: 0 }, 1, 'Nobody answered before the deadline.'],
  [{ needed: 2, given: 1 }, 1, 'Not enough people gave the same answer before the deadline.'],
  // Someone may have answered the first revision.
  [{ needed: 2, given: 0 }, 2, 'Not enough people gave the same answer before the deadline.'],
])('an expired task with the review %j and the revision %i says: %s', (review, revision, text) => {
  show([], { status: 'expired', handled: undefined, review, revision })
  expect(screen.getByText(text)).toBeTruthy()
})

test('deliveries that could not be loaded are not taken for none', async () => {
  showLoading(() => Promise.reject(new Error('offline')))
  expect((await screen.findByRole('alert')).textContent).toContain("The deliveries couldn't be loaded.")
})

test('the answers of several people show the titles of fields and choices', async () => {
  const given = (by: string) => ({ ...handled, by, at })
  show([], { handled: { ...handled, answers: [given('mara@shop.example'), given('ana@shop.example')] } })
  const list = await screen.findByRole('list', { name: 'Answers' })
  await waitFor(() => expect(list.textContent).toMatch(/ana@shop.example.*Winner.*Birch draft/))
  expect(screen.getByText(/^2 people answered, /)).toBeTruthy()
})
