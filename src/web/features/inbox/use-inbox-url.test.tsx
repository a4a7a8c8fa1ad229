import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { useInboxUrl } from './use-inbox-url.ts'

const navigate = vi.hoisted(() => vi.fn())
vi.mock('@tanstack/react-router', () => ({
  useNavigate: () => navigate,
  useParams: () => ({ taskId: 'tsk_1' }),
  useRouter: () => ({}),
  useSearch: () => ({ app: 'shop' }),
}))
vi.mock('../../lib/use-groups.ts', () => ({ useMyAssignees: () => ['mara@acme.example'] }))

test('the task of an answer is opened with the filters of this workspace, and in another one without', () => {
  const session = { api: {}, workspaceId: 'acme', me: { person: { userId: 'mara' } } }
  const wrapper = ({ children }: PropsWithChildren) => (
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={session as never}>{children}</WorkspaceContext>
    </QueryClientProvider>
  )
  const { openInOwnWorkspace } = renderHook(() => useInboxUrl(), { wrapper }).result.current
  for (const workspaceId of ['acme', 'other']) openInOwnWorkspace({ workspaceId, taskId: 'tsk_2' })
  expect(navigate.mock.calls.map(([{ params, search }]) => [params.workspaceId, search])).toEqual([
    ['acme', true],
    ['other', {}],
  ])
})
