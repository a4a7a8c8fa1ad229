import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { usePastAnswers } from './use-past-answers.ts'

test('texts to insert come from the person’s own answers with this action to tasks of this type, and from no other', async () => {
  const listTasks = vi.fn(async () => ({
    tasks: [
      { handled: { data: { reason: 'Newest' } } },
      { handled: {} },
      { handled: { data: { reason: 'Old' } } },
    ],
  }))
  const workspace = {
    workspaceId: 'acme',
    me: { person: { email: 'olga@shop.example' } },
    api: { listTasks },
  }
  const wrapper = ({ children }: PropsWithChildren) => (
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={workspace as never}>{children}</WorkspaceContext>
    </QueryClientProvider>
  )
  const { result } = renderHook(() => usePastAnswers('refund', 'decline'), { wrapper })
  await waitFor(() => expect(result.current.answers).toEqual([{ reason: 'Newest' }, {}, { reason: 'Old' }]))
  expect(listTasks).toHaveBeenCalledWith(
    expect.objectContaining({
      status: 'handled',
      type: 'refund',
      actionId: 'decline',
      handledBy: 'olga@shop.example',
      sort: 'handledAt',
    }),
    expect.anything(),
  )
})
