import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HandrailProblem } from '../../../../client/problem.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import type { Violation } from '../../../../contract/violation.ts'
import type { AnswerGate } from '../../../lib/answer-gate.ts'
import { setPreference } from '../../../lib/preferences.ts'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import SchemaForm from '../../form/schema-form.tsx'
import { noQuestionsText, useAnswering } from './use-answering.ts'

let finishCheck: (errors: Violation[]) => void
vi.mock('../../form/check-in-worker.ts', () => ({
  startChecker: () => undefined,
  checkInWorker: () =>
    new Promise((resolve) => {
      finishCheck = resolve
    }),
}))

type Refusal = Pick<ConstructorParameters<typeof HandrailProblem>[0], 'code' | 'status' | 'detail' | 'errors'>
const refusal = (problem: Refusal) =>
  new HandrailProblem({ type: 'about:blank', title: '', requestId: '', ...problem })

const onSend = vi.fn(async (): Promise<HandrailProblem | undefined> => undefined)
beforeEach(() => onSend.mockClear())
afterEach(() => {
  setPreference('undoSeconds', '5')
})

const schema = { type: 'object', properties: { amount: { type: 'string', title: 'Amount' } } }
const actions = [
  { id: 'pay', title: 'Pay', schema },
  { id: 'split', title: 'Split', schema },
]
const task = { taskId: 'tsk_1', name: 'Refund', actions }
const gate = { tryAccept: () => true, seenRevision: 1 } as AnswerGate
const drafts = { list: [], isLoading: false, state: 'untouched', change: vi.fn(), save: vi.fn() }

function Task({ revision }: { revision: number }) {
  const answering = useAnswering({
    task: { ...task, revision } as unknown as TaskRecord,
    gate,
    isEnded: false,
    drafts: drafts as never,
    onSend,
  })
  return (
    <>
      {actions.map(({ id, title }) => (
        <button key={id} type="button" onClick={() => answering.choose(id)}>
          {title}
        </button>
      ))}
      {answering.chosen && (
        <SchemaForm
          key={answering.chosen.id}
          schema={schema}
          ui={undefined}
          context={undefined}
          errors={answering.fieldErrors}
          onEnter={() => void answering.submitByEnter()}
          handle={answering.form}
        />
      )}
      <button type="button" onClick={() => void answering.submit()}>
        Send
      </button>
      <button type="button" onClick={() => answering.setHint(noQuestionsText)}>
        Ask
      </button>
      <button type="button" onClick={() => void answering.markDone.start()}>
        Mark done
      </button>
      <output>{answering.hint}</output>
      <p data-testid="problem">{answering.problem?.detail}</p>
      {answering.markDone.isConfirming && (
        <button type="button" onClick={() => void answering.markDone.confirm()}>
          Confirm
        </button>
      )}
    </>
  )
}

async function openForm() {
  const session = {
    api: {},
    workspaceId: 'acme',
    me: { person: { userId: 'mara', email: 'mara@shop.example' } },
  }
  const queryClient = new QueryClient()
  const atRevision = (revision: number) => (
    <QueryClientProvider client={queryClient}>
      <WorkspaceContext value={session as never}>
        <Task revision={revision} />
      </WorkspaceContext>
    </QueryClientProvider>
  )
  const { unmount, rerender } = render(atRevision(1))
  const click = (name: string) => userEvent.click(screen.getByRole('button', { name }))
  await click('Pay')
  return { click, leave: unmount, revise: () => rerender(atRevision(2)) }
}

test.each([
  ['valid', []],
  ['invalid', [{ path: 'amount', message: 'This field is required.' }]],
])('a task that is left while its form is checked is not answered: %s', async (_, errors) => {
  const { click, leave } = await openForm()
  await click('Send')
  leave()
  await act(async () => finishCheck(errors))
  expect(onSend).not.toHaveBeenCalled()
})

test('a form that stays on screen is sent after the check', async () => {
  const { click } = await openForm()
  await click('Send')
  await act(async () => finishCheck([]))
  expect(onSend).toHaveBeenCalledOnce()
})

test('Enter in a field sends only what can be undone', async () => {
  setPreference('undoSeconds', '0')
  await openForm()
  await userEvent.type(screen.getByRole('textbox'), '12{Enter}')
  await act(async () => finishCheck?.([]))
  expect(onSend).not.toHaveBeenCalled()
  expect(screen.getByRole('status').textContent).toBe('Press Ctrl ↵ to send.')

  setPreference('undoSeconds', '5')
  await userEvent.type(screen.getByRole('textbox'), '{Enter}')
  await act(async () => finishCheck([]))
  expect(onSend).toHaveBeenCalledOnce()
})

test('Mark done asks first if it cannot be undone, and shows why it was refused', async () => {
  const { click } = await openForm()
  setPreference('undoSeconds', '0')
  onSend.mockResolvedValueOnce(refusal({ code: 'forbidden', status: 403, detail: 'Not yours.' }))
  await click('Mark done')
  expect(onSend).not.toHaveBeenCalled()
  await click('Confirm')
  expect(onSend).toHaveBeenCalledOnce()
  await vi.waitFor(() => expect(screen.getByTestId('problem').textContent).toBe('Not yours.'))
  setPreference('undoSeconds', '5')
  await click('Mark done')
  expect(onSend).toHaveBeenCalledTimes(2)
})

test('text typed after Q, to an agent that takes no questions, does not hide why nothing opened', async () => {
  const { click } = await openForm()
  const tryAccept = vi.spyOn(gate, 'tryAccept').mockReturnValue(false)
  await click('Mark done')
  expect(screen.getByText(/^The task had only just appeared or changed/)).toBeTruthy()
  await click('Ask')
  await click('Mark done')
  expect(screen.getByText(noQuestionsText)).toBeTruthy()
  expect(onSend).not.toHaveBeenCalled()
  tryAccept.mockReturnValue(true)
  await click('Mark done')
  expect(screen.queryByText(noQuestionsText)).toBeNull()
  tryAccept.mockRestore()
})

test('the errors of a refused form are not shown in the form of another action', async () => {
  onSend.mockResolvedValueOnce(
    refusal({
      code: 'invalid_request',
      status: 400,
      detail: 'A field is invalid.',
      errors: [{ path: 'data.amount', message: 'Too high.' }],
    }),
  )
  const { click } = await openForm()
  await click('Send')
  await act(async () => finishCheck([]))
  await screen.findAllByText('Too high.')

  await click('Split')
  expect(screen.queryAllByText('Too high.')).toEqual([])
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Split' }))
})

test('a press while an answer is being sent does not confirm a revision', async () => {
  let refuse = (_: undefined) => {}
  onSend.mockReturnValueOnce(new Promise((resolve) => (refuse = resolve)))
  const { click, revise } = await openForm()
  await click('Send')
  await act(async () => finishCheck([]))
  revise()
  await click('Send')
  expect(screen.getByTestId('problem').textContent).toBe('')
  await act(async () => refuse(undefined))
  await click('Send')
  expect(screen.getByTestId('problem').textContent).toContain('The agent changed the task')
})
