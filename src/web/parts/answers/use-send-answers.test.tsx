import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { answerQueueOf } from '../../lib/answer-queue.ts'
import { sessionEvents } from '../../lib/api.ts'
import { setPreference } from '../../lib/preferences.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { useSendAnswers } from './use-send-answers.ts'

beforeEach(() => setPreference('undoSeconds', '0'))
afterEach(() => {
  setPreference('undoSeconds', '5')
  vi.unstubAllGlobals()
})

/** Sends an answer. `body` is the response to it. */
function sendAnswer(status: number, body: BodyInit, onContinue: () => void) {
  vi.stubGlobal('fetch', async () => new Response(body, { status }))
  const person = { userId: `usr_${crypto.randomUUID()}`, email: 'me@shop.example' }
  const queue = answerQueueOf(person)
  queue.start()
  onTestFinished(() => queue.stop())
  const session = { workspaceId: 'wsp_1', me: { person, workspaces: [] } } as never
  const { result } = renderHook(() => useSendAnswers(onContinue), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={new QueryClient()}>
        <WorkspaceContext value={session}>{children}</WorkspaceContext>
      </QueryClientProvider>
    ),
  })
  const answer = { workspaceId: 'wsp_1', taskId: 'tsk_1', taskName: 'Pay', actionId: 'pay', title: 'Pay' }
  return { queue, sent: result.current.send([answer]) }
}

test('the sign-in page comes last, also if the next task is opened while the response is read', async () => {
  let endBody: () => void = () => undefined
  const body = new ReadableStream({
    start(controller) {
      endBody = () => controller.close()
    },
  })
  const steps: string[] = []
  const onEnded = () => steps.push('sign-in')
  sessionEvents.addEventListener('ended', onEnded)
  onTestFinished(() => sessionEvents.removeEventListener('ended', onEnded))
  await sendAnswer(401, body, () => steps.push('next task')).sent
  endBody()
  await vi.waitFor(() => expect(steps).toEqual(['next task', 'sign-in']))
})

test.each([
  ['while the service is down, an answer opens the next task', 502, true],
  ['an answer that finds the session ended does not, because the sign-in page follows', 401, false],
])('%s', async (_, status, isOpened) => {
  const onContinue = vi.fn()
  const { queue, sent } = sendAnswer(status, '', onContinue)
  expect(await sent).toBeUndefined()
  expect(onContinue).toHaveBeenCalledTimes(isOpened ? 1 : 0)
  expect(queue.snapshot().pending).toMatchObject([{ stage: 'waiting' }])
})
