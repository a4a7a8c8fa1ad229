import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { answerQueueOf } from '../../lib/answer-queue.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { UnsentStrip } from './unsent-strip.tsx'

test('without browser storage, it says that the answer is only in this tab, and sends it when the service is back', async () => {
  vi.stubGlobal('indexedDB', undefined)
  const posted: string[] = []
  let isDown = true
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    if (isDown) throw new TypeError('Failed to fetch')
    posted.push(`${url} ${body}`)
    return Response.json({ status: 'handled' })
  })
  const person = { userId: 'usr_me', email: 'me@shop.example' }
  const queue = answerQueueOf(person)
  queue.start()
  const answer = { workspaceId: 'wsp_1', taskId: 'tsk_1', taskName: 'Pay', actionId: 'pay', title: 'Pay' }
  queue.add([answer], { seconds: 0 })
  const session = { workspaceId: 'wsp_1', me: { person, workspaces: [] } }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={session as never}>
        <UnsentStrip onOpen={() => undefined} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  await screen.findByText('It is saved only in this tab. Keep it open until it is sent.', { exact: false })
  isDown = false
  await userEvent.click(screen.getByRole('button', { name: 'Try now' }))
  await vi.waitFor(() => expect(screen.queryByRole('region', { name: 'Unsent answers' })).toBeNull())
  expect(posted).toEqual([expect.stringMatching(/\/tasks\/tsk_1\/handle \{"actionId":"pay"\}$/)])
})
