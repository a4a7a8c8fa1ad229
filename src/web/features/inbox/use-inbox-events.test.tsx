import { QueryClient, QueryClientProvider, QueryObserver } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import type { InboxEvent } from '../../../contract/inbox.ts'
import { limits } from '../../../contract/limits.ts'
import type { MemberTaskRecord } from '../../../contract/task.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { useInboxEvents } from './use-inbox-events.ts'

const linked = (taskId: string) => ({ taskId, name: taskId, priority: 'normal' })
const row = { name: 'tsk_new', priority: 'normal' }

function handlerOf(client: QueryClient) {
  const session = {
    workspaceId: 'wsp_1',
    me: { person: { email: 'mara@shop.example' } },
    api: { groups: async () => ({ groups: [] }) },
  }
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <WorkspaceContext value={session as never}>{children}</WorkspaceContext>
    </QueryClientProvider>
  )
  return renderHook(() => useInboxEvents(() => undefined), { wrapper }).result.current
}

/** The links of a cached task after the event, and whether they are loaded again. */
function linksAfter(links: string[], event: object) {
  const client = new QueryClient()
  const queryKey = ['task', 'wsp_1', 'tsk_1']
  client.setQueryData(queryKey, { taskId: 'tsk_1', threadId: 'refunds', threadTasks: links.map(linked) })
  handlerOf(client)({ threadId: 'refunds', ...event } as unknown as InboxEvent)
  return {
    links: client.getQueryData<MemberTaskRecord>(queryKey)?.threadTasks?.map(({ taskId }) => taskId),
    isReloaded: client.getQueryState(queryKey)?.isInvalidated,
  }
}

test.each([
  ['handled', ['tsk_2']],
  ['question', ['tsk_2']],
])('a task of the thread that no longer waits for people is not linked: %s', (kind, links) => {
  const event = { type: `service/task_${kind}`, taskId: 'tsk_3' }
  expect(linksAfter(['tsk_2', 'tsk_3'], event)).toEqual({ links, isReloaded: false })
})

test('a new task of the thread is linked', () => {
  const event = { type: 'service/task_created', taskId: 'tsk_new', row }
  expect(linksAfter(['tsk_2'], event)).toEqual({ links: ['tsk_2', 'tsk_new'], isReloaded: false })
})

test.each([
  ['a task returns', ['tsk_2'], { type: 'service/task_returned', row }],
  ['a task is replied to', ['tsk_2'], { type: 'service/task_updated', row, update: { answers: 'qst_1' } }],
  [
    'a task of a full list ends',
    Array.from({ length: limits.threadTasks }, (_, n) => `tsk_${n + 2}`),
    { type: 'service/task_expired' },
  ],
])('links are loaded again if %s', (_, links, event) => {
  expect(linksAfter(links, { ...event, taskId: 'tsk_4' }).isReloaded).toBe(true)
})

test('a task of another thread changes nothing', () => {
  const event = { type: 'service/task_expired', taskId: 'tsk_2', threadId: 'orders' }
  expect(linksAfter(['tsk_2'], event)).toEqual({ links: ['tsk_2'], isReloaded: false })
})

test.each([
  ['revised', { type: 'service/task_updated', row }],
  ['updated', { type: 'service/task_updated', update: { level: 'info', message: 'Still there' } }],
  ['ended', { type: 'service/task_expired' }],
])('a task that is %s while it loads is loaded again', async (_, event) => {
  const client = new QueryClient()
  const responses: ((task: object) => void)[] = []
  const queryKey = ['task', 'wsp_1', 'tsk_1']
  const queryFn = () => new Promise<object>((resolve) => responses.push(resolve))
  const loading = new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined)
  handlerOf(client)({ taskId: 'tsk_1', threadId: 'refunds', ...event } as unknown as InboxEvent)
  responses[0]?.({ revision: 1 })
  await vi.waitFor(() => expect(responses).toHaveLength(2))
  responses[1]?.({ revision: 2 })
  await vi.waitFor(() => expect(client.getQueryData(queryKey)).toEqual({ revision: 2 }))
  loading()
})
