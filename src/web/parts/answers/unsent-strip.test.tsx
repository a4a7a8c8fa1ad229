import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { answerQueueOf } from '../../lib/answer-queue.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { UnsentStrip } from './unsent-strip.tsx'

beforeEach(() => void vi.stubGlobal('indexedDB', undefined))
afterEach(() => void vi.unstubAllGlobals())

/** Answers the tasks and shows the strip. Requests are answered by `respond`. */
function showUnsent(userId: string, taskIds: string[], respond: (url: string) => Promise<Response>) {
  const posted: string[] = []
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    const response = await respond(url)
    posted.push(`${url} ${body}`)
    return response
  })
  const person = { userId, email: 'me@shop.example' }
  const queue = answerQueueOf(person)
  queue.start()
  onTestFinished(() => queue.stop())
  for (const taskId of taskIds) {
    const answer = { taskId, taskName: `Pay ${taskId}`, actionId: 'pay', title: 'Pay', data: { note: 'Now' } }
    queue.add([{ workspaceId: 'wsp_1', ...answer }], { seconds: 0 })
  }
  const members = [{ email: 'mara@shop.example', name: 'Mara' }]
  const api = { members: async () => ({ members }), groups: async () => ({ groups: [] }) }
  const session = { api, workspaceId: 'wsp_1', me: { person, workspaces: [] } }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={session as never}>
        <UnsentStrip onOpen={() => undefined} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  return posted
}

const unreachable = () => Promise.reject(new TypeError('Failed to fetch'))
const isGone = () =>
  vi.waitFor(() => expect(screen.queryByRole('region', { name: 'Unsent answers' })).toBeNull())

test('without browser storage, it says that the answer is only in this tab, and sends it when the service is back', async () => {
  let isDown = true
  const posted = showUnsent('usr_tab', ['tsk_1'], async () =>
    isDown ? await unreachable() : Response.json({ status: 'handled' }),
  )
  await screen.findByText('It is saved only in this tab. Keep it open until it is sent.', { exact: false })
  isDown = false
  await userEvent.click(screen.getByRole('button', { name: 'Try now' }))
  await isGone()
  expect(posted).toEqual([expect.stringMatching(/\/tasks\/tsk_1\/handle \{"actionId":"pay","data":/)])
})

test('a retry that fails leaves the lines and the focus in place and is not announced; an answer cannot be undone while it is sent', async () => {
  let respond = unreachable
  showUnsent('usr_retry', ['tsk_1', 'tsk_2'], () => respond())
  const announced: string[] = []
  const status = await screen.findByRole('status')
  await screen.findByText("2 answers haven't been sent yet.", { exact: false })
  await userEvent.click(screen.getByRole('button', { name: 'Show' }))
  const [first, second] = await screen.findAllByRole('listitem')
  const observer = new MutationObserver(() => announced.push(status.textContent))
  observer.observe(status, { childList: true, characterData: true, subtree: true })

  let fail: () => void = () => undefined
  respond = () =>
    new Promise((_, reject) => {
      fail = () => reject(new TypeError('Failed to fetch'))
    })
  const button = screen.getByRole('button', { name: 'Try now' })
  button.focus()
  await userEvent.keyboard('{Enter}')
  await within(first!).findByText('Sending…')
  expect(button.textContent).toBe('Sending…')
  const undo = within(first!).getByRole('button', { name: 'Undo: Pay tsk_1' })
  expect(undo.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(undo)
  within(second!).getByText('Waiting to send')

  button.focus()
  fail()
  await screen.findByRole('button', { name: 'Try now' })
  expect(document.activeElement).toBe(button)
  expect([first!.isConnected, second!.isConnected]).toEqual([true, true])
  expect(announced).toEqual([])
})

test('an answer to a task that someone else answered first says who, when and with what, can be copied, and stays until it is dismissed', async () => {
  const refusal = { type: 'about:blank', title: '', status: 409, code: 'task_not_open', detail: '' }
  const who = { taskStatus: 'handled', handledBy: 'mara@shop.example', handledAt: new Date().toISOString() }
  showUnsent('usr_late', ['tsk_1'], async (url) =>
    url.endsWith('/handle')
      ? Response.json({ ...refusal, ...who, requestId: 'req_1' }, { status: 409 })
      : Response.json({ status: 'handled', handled: { ...who, actionTitle: 'Refuse' } }),
  )
  await screen.findByText(/^Not sent: Mara answered first with “Refuse”, at /)
  screen.getByText("1 answer wasn't sent.")
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Copy answer: Pay tsk_1' }))
  await vi.waitFor(async () => expect(await navigator.clipboard.readText()).toBe('Now'))
  await user.click(screen.getByRole('button', { name: 'Dismiss: Pay tsk_1' }))
  await isGone()
})
