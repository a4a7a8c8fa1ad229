import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { HandrailProblem } from '../../../../client/problem.ts'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import SnoozeDialog from './snooze-dialog.tsx'

// The dialog's script is loaded on demand.

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve)))

/** A page that shows the dialog until it is closed. */
function open(dialog: (onClose: () => void) => React.ReactNode, api: object = {}) {
  const onClose = vi.fn()
  function Page() {
    const [isOpen, setOpen] = useState(true)
    return isOpen && dialog(() => [onClose(), setOpen(false)])
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, workspaceId: 'acme' } as never}>
        <Page />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  return onClose
}

test('a snooze dialog that was closed before the response closes no other dialog', async () => {
  const onSnoozed = vi.fn()
  let respond: (value: { until: string }) => void = () => undefined
  const snoozeTask = () => new Promise((resolve) => (respond = resolve))
  const task = { taskId: 'tsk_1' } as never
  const onClose = open((close) => <SnoozeDialog task={task} onSnoozed={onSnoozed} onClose={close} />, {
    snoozeTask,
  })
  await userEvent.click(await screen.findByRole('button', { name: /^Snooze/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  respond({ until: '2026-11-19T08:00:00.000Z' })
  await settle()
  expect(onSnoozed).toHaveBeenCalledOnce()
  expect(onClose).toHaveBeenCalledOnce()
})

test('another choice removes the error of the previous one', async () => {
  open((close) => <SnoozeDialog task={{} as never} onSnoozed={() => undefined} onClose={close} />)
  await userEvent.click(await screen.findByRole('radio', { name: 'Date and time' }))
  await userEvent.click(screen.getByRole('button', { name: /^Snooze/ }))
  expect(screen.getByText('Choose a date and time.')).toBeTruthy()
  await userEvent.click(screen.getAllByRole('radio')[0]!)
  expect(screen.queryByText('Choose a date and time.')).toBeNull()
})

test('a date and time are chosen too; what the service refuses is shown at the field', async () => {
  const refusal = new HandrailProblem({
    type: 'about:blank',
    title: '',
    requestId: '',
    code: 'invalid_request',
    status: 400,
    detail: 'A field is invalid.',
    errors: [{ path: 'until', message: 'Must be in the future, at most 90 days from now.' }],
  })
  const snoozeTask = vi.fn(async (_: string, { until }: { until: string }) => ({ until }))
  snoozeTask.mockRejectedValueOnce(refusal)
  const onSnoozed = vi.fn()
  const task = { taskId: 'tsk_1' } as never
  const onClose = open((close) => <SnoozeDialog task={task} onSnoozed={onSnoozed} onClose={close} />, {
    snoozeTask,
  })
  await screen.findByRole('radio', { name: 'Date and time' })
  const field = screen.getByLabelText('Date and time', { selector: '[type=datetime-local]' })
  fireEvent.change(field, { target: { value: '2020-01-01T09:00' } })
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await screen.findByText('Must be in the future, at most 90 days from now.')
  expect(onClose).not.toHaveBeenCalled()
  fireEvent.change(field, { target: { value: '2030-01-02T09:00' } })
  expect(screen.queryByText(/^Must be in the future/)).toBeNull()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  const until = new Date('2030-01-02T09:00').toISOString()
  await vi.waitFor(() => expect(onSnoozed).toHaveBeenCalledWith(until))
  expect(snoozeTask).toHaveBeenLastCalledWith('tsk_1', { until })
  expect(onClose).toHaveBeenCalledOnce()
})

test.each([true, false])(
  'a confirmation closes once, whether it was cancelled meanwhile: %s',
  async (isCancelled) => {
    let finish: (value?: unknown) => void = () => undefined
    const onClose = open((close) => (
      <ConfirmDialog
        title="Delete"
        description="It can't be restored."
        confirmLabel="Delete"
        onConfirm={() => new Promise((resolve) => (finish = resolve))}
        onClose={close}
      />
    ))
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
    if (isCancelled) await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    finish()
    await settle()
    expect(onClose).toHaveBeenCalledOnce()
  },
)
