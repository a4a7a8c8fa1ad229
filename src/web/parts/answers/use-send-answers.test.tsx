import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerQueueOf } from '../../lib/answer-queue.ts'
import { setPreference } from '../../lib/preferences.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { useSendAnswers } from './use-send-answers.ts'

beforeEach(() => setPreference('undoSeconds', '0'))
afterEach(() => {
  setPreference('undoSeconds', '5')
  vi.unstubAllGlobals()
})

test.each([
  ['while the service is down, an answer opens the next task', 502, true],
  ['an answer that finds the session ended does not, because the sign-in page follows', 401, false],
])('%s', async (_, status, isOpened) => {
  vi.stubGlobal('fetch', async () => new Response('', { status }))
  const person = { userId: `usr_${status}`, email: 'me@shop.example' }
  const queue = answerQueueOf(person)
  queue.start()
  const session = { workspaceId: 'wsp_1', me: { person, workspaces: [] } } as never
  const onContinue = vi.fn()
  const { result } = renderHook(() => useSendAnswers(onContinue), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={new QueryClient()}>
        <WorkspaceContext value={session}>{children}</WorkspaceContext>
      </QueryClientProvider>
    ),
  })
  const answer = { workspaceId: 'wsp_1', taskId: 'tsk_1', taskName: 'Pay', actionId: 'pay', title: 'Pay' }
  expect(await result.current.send([answer])).toBeUndefined()
  expect(onContinue).toHaveBeenCalledTimes(isOpened ? 1 : 0)
  expect(queue.snapshot().pending).toMatchObject([{ stage: 'waiting' }])
  queue.stop()
})
