import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'
import { row } from '../../../../test/support/inbox-samples.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import BulkBar from './bulk-bar.tsx'
import type { ListedRow } from './listed-rows.ts'

// Loaded lazily, which takes seconds on a busy machine.
beforeAll(() => import('../../ui/dialog-window.tsx'))

const approve = { id: 'approve', title: 'Approve' }
const decline = { id: 'decline', title: 'Decline' }
const actionsOf: Record<string, unknown[]> = {
  a: [approve, decline],
  b: [approve],
  c: [approve, decline],
  d: [decline],
}

function showBar(ids: string[], displayedId?: string) {
  const api = { getTask: async (taskId: string) => ({ type: 'refund', actions: actionsOf[taskId] }) }
  const session = { api, workspaceId: 'acme', me: { person: { userId: 'mara' }, workspaces: [] } }
  const rows = ids.map((id) => row(id) as ListedRow)
  const onAnswer = vi.fn()
  const bar = (selected: string[], ended: string[] = [], revision = 1) => (
    <WorkspaceContext value={session as never}>
      <BulkBar
        state={{ rows, endedIds: new Set(ended) }}
        selected={new Map(selected.map((id) => [id, revision]))}
        displayedId={displayedId}
        onAnswer={onAnswer}
        onClear={() => undefined}
      />
    </WorkspaceContext>
  )
  const { rerender } = render(bar(ids))
  const list = (...changed: Parameters<typeof bar>) => rerender(bar(...changed))
  return { onAnswer, list }
}

const waitForDialog = () =>
  vi.waitFor(() => expect(document.querySelector('[data-answerable]')).not.toBeNull())

const chosenActions = async () => {
  await screen.findByRole('group', { name: 'Shared actions' })
  return screen.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent)
}

test('a dialog stays open with its text if others end the selected tasks, and the open ones are answered', async () => {
  const { onAnswer, list } = showBar(['a', 'b', 'c'])
  await userEvent.click(screen.getByRole('button', { name: /^Reject/ }))
  await userEvent.type(await screen.findByLabelText('Why?'), 'Wrong')
  list(['a', 'c'], ['b'])
  await screen.findByText("1 of these tasks has ended and won't be answered.")
  expect(screen.getByLabelText<HTMLTextAreaElement>('Why?').value).toBe('Wrong')
  await waitForDialog()
  await userEvent.click(screen.getByRole('button', { name: /^Reject 2 tasks/ }))
  const [answers] = onAnswer.mock.lastCall!
  expect(answers).toMatchObject([
    { taskId: 'a', revision: 1, data: { feedback: 'Wrong' } },
    { taskId: 'c', revision: 1, data: { feedback: 'Wrong' } },
  ])
  expect(answers[0].bulkId).toBe(answers[1].bulkId)
})

test('a revision that arrives while the dialog is open is not answered: the answers name what was selected', async () => {
  const { onAnswer, list } = showBar(['a', 'b'])
  await userEvent.keyboard('e')
  await screen.findByRole('dialog', { name: 'Mark 2 tasks done?' })
  list(['a', 'b'], [], 2)
  await waitForDialog()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(onAnswer.mock.lastCall![0]).toMatchObject([
    { taskId: 'a', revision: 1 },
    { taskId: 'b', revision: 1 },
  ])
})

test('each bulk answer has its own id, and an answer to a single task has none', async () => {
  const { onAnswer, list } = showBar(['a', 'b'])
  async function markDone() {
    await userEvent.keyboard('e')
    await waitForDialog()
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    return onAnswer.mock.lastCall![0].map(({ bulkId }: { bulkId?: string }) => bulkId)
  }
  const [first, second] = [await markDone(), await markDone()]
  expect(first[0]).toBe(first[1])
  expect(second[0]).toBe(second[1])
  expect(second[0]).not.toBe(first[0])
  list(['a'])
  expect(await markDone()).toEqual([undefined])
})

test('tasks without a common action are offered none', async () => {
  showBar(['b', 'd'])
  await userEvent.click(screen.getByRole('button', { name: /^Answer/ }))
  await screen.findByText(/^The selected tasks have no action in common/)
  expect(screen.queryByRole('button', { name: /2 tasks/ })).toBeNull()
})

test('a dialog stays open if all selected tasks have ended, and sends nothing', async () => {
  const { onAnswer, list } = showBar(['a'])
  await userEvent.click(screen.getByRole('button', { name: /^Reject/ }))
  await userEvent.type(await screen.findByLabelText('Why?'), 'Wrong')
  list([], ['a'])
  await screen.findByText('This task has ended, so there is nothing to answer.')
  await userEvent.keyboard('{Control>}{Enter}{/Control}e')
  expect(screen.getByLabelText<HTMLTextAreaElement>('Why?').value).toBe('Wronge')
  expect(screen.queryByRole('button', { name: /^Reject \d/ })).toBeNull()
  expect(onAnswer).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await userEvent.keyboard('e')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('Alt+2 chooses the second action of the displayed task, or none if the selected tasks do not share it', async () => {
  showBar(['a', 'c'], 'c')
  await userEvent.keyboard('{Alt>}[Digit2]{/Alt}')
  await vi.waitFor(async () => expect(await chosenActions()).toEqual([expect.stringContaining('Decline')]))
  cleanup()
  showBar(['a', 'b'], 'a')
  await userEvent.keyboard('{Alt>}[Digit2]{/Alt}')
  await screen.findByRole('group', { name: 'Shared actions' })
  expect(screen.queryByRole('button', { pressed: true })).toBeNull()
})

test('Alt+1 chooses none if the displayed task is not selected; the only shared action is chosen without a digit', async () => {
  showBar(['a', 'b'], 'c')
  await userEvent.keyboard('{Alt>}[Digit1]{/Alt}')
  await screen.findByRole('group', { name: 'Shared actions' })
  expect(screen.queryByRole('button', { pressed: true })).toBeNull()
  cleanup()
  showBar(['a', 'b'], 'c')
  await userEvent.click(screen.getByRole('button', { name: /^Answer/ }))
  await vi.waitFor(async () => expect(await chosenActions()).toEqual([expect.stringContaining('Approve')]))
})
