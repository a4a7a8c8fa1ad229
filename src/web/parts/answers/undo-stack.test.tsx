import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { answerQueueOf } from '../../lib/answer-queue.ts'
import type { Answer } from '../../lib/send-answer.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import type { Undoable } from './undo-entries.tsx'
import { UndoStack } from './undo-stack.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
})

const answer = (taskId: string) => ({
  ...{ workspaceId: 'wsp_1', taskId, taskName: `Task ${taskId}`, actionId: 'approve', title: 'Approve' },
})

/** A stack with the answers a, b and c, which were given in this order. */
function showStack(userId: string, other?: Undoable) {
  const person = { userId, email: 'me@shop.example' }
  const queue = answerQueueOf(person)
  for (const taskId of ['a', 'b', 'c']) queue.add([answer(taskId)], { seconds: 60 })
  const undone = renderStack(person, other)
  return { heldIds: () => queue.snapshot().pending.map((item) => item.answer.taskId), undone }
}

/** Returns the names of the tasks whose answers are undone. */
function renderStack(person: { userId: string; email: string }, other?: Undoable) {
  const undone: string[] = []
  const collect = (answers: Answer[]) => undone.push(...answers.map(({ taskName }) => taskName))
  const session = { workspaceId: 'wsp_1', me: { person, workspaces: [] } }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={session as never}>
        <UndoStack other={other} notice={undefined} onUndone={collect} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  return undone
}

test.each([
  ['the newest answer', 'Undo', ['a', 'b'], 'Task c'],
  ['an older answer', 'Undo Approve: Task a', ['b', 'c'], 'Task a'],
])('a double click on Undo takes back only %s', async (_, name, left, taskName) => {
  const { heldIds, undone } = showStack(name)
  const user = userEvent.setup()
  const button = await screen.findByRole('button', { name })
  const item = button.closest('li')!
  await user.click(button)
  expect(item.isConnected).toBe(false)
  // The second click reaches the button that is now in the same place.
  const [next] = screen.getAllByRole('button', { name: /^Undo/ })
  next!.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }))
  expect(heldIds()).toEqual(left)
  expect(undone).toEqual([taskName])
})

test('Z and Ctrl+Z undo the newest answer, then the one before it', async () => {
  const { heldIds, undone } = showStack('usr_keys')
  await userEvent.keyboard('z{Control>}z{/Control}')
  expect(undone).toEqual(['Task c', 'Task b'])
  expect(heldIds()).toEqual(['a'])
})

test('a double click on the Undo of a snooze undoes it once', async () => {
  const onUndo = vi.fn()
  const other = { taskName: 'Task d', description: 'Snoozed', at: Date.now() + 1_000, onUndo }
  showStack('usr_snooze', other)
  const [undo] = await screen.findAllByRole('button', { name: 'Undo' })
  await userEvent.dblClick(undo!)
  expect(onUndo).toHaveBeenCalledOnce()
})

test('when it is too late, the notice names only the tasks whose answers still wait to be sent', async () => {
  vi.stubGlobal('fetch', async (url: string) =>
    url.includes('tasks/a') ? Response.json({ status: 'handled' }) : new Response('', { status: 502 }),
  )
  const person = { userId: 'usr_late', email: 'me@shop.example' }
  const queue = answerQueueOf(person)
  queue.start()
  const entryId = queue.add([answer('a'), answer('b')], { seconds: 0 })
  await queue.whenAttempted(entryId)
  queue.stop()
  renderStack(person)
  await userEvent.keyboard('z')
  await screen.findByText(/^“Approve” for “Task b” is waiting to be sent\./)

  // After it was undone in the list of unsent answers, nothing is left.
  const [left] = queue.snapshot().pending
  act(() => void queue.remove(left!.key))
  await userEvent.keyboard('z')
  await screen.findByText('Nothing to undo.')
})

test('when it is too late because the service refused the answer, the notice says that it was not sent', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ status: 400, code: 'invalid_request' }, { status: 400 }))
  const person = { userId: 'usr_refused', email: 'me@shop.example' }
  const queue = answerQueueOf(person)
  queue.start()
  await queue.whenAttempted(queue.add([answer('a')], { seconds: 0 }))
  queue.stop()
  renderStack(person)
  await userEvent.keyboard('z')
  await screen.findByText("“Approve” for “Task a” wasn't sent. See the list of unsent answers.")
})
