import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { HandrailProblem } from '../../../../client/problem.ts'
import type { AskQuestion } from '../../../../contract/question.ts'
import { forgetInMemoryDrafts } from '../../../lib/in-memory-drafts.ts'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { countUnsaved, forgetUnsaved } from '../../answers/unsaved-drafts.ts'
import { useQuestionComposer } from './use-question-composer.ts'

const requests: { input: AskQuestion; finish: () => void; fail: () => void }[] = []
const api = {
  askQuestion: (_: string, input: AskQuestion) =>
    new Promise((resolve, reject) => {
      const problem = { type: '', title: '', status: 503, code: 'internal', detail: 'Down.', requestId: '' }
      requests.push({
        input,
        finish: () => resolve({}),
        fail: () => reject(new HandrailProblem(problem as never)),
      })
    }),
}
beforeEach(() => {
  requests.length = 0
  forgetInMemoryDrafts('usr_1')
  forgetUnsaved('usr_1')
})

const task = { taskId: 'tsk_1', revision: 1 } as never
const gate = { seenRevision: 1 } as never

function Composer() {
  const { kind, text, problem, open, change, send } = useQuestionComposer({
    task,
    gate,
    isDisabled: false,
    onAsked: () => undefined,
  })
  return (
    <>
      <input aria-label="Text" value={text} onChange={({ target }) => change(target.value)} />
      <button type="button" onClick={() => (kind ? void send() : open('question'))}>
        {kind ? 'Send' : 'Ask'}
      </button>
      <p>{problem?.detail}</p>
    </>
  )
}

/** Opens the task. Returns a function that leaves it. */
function openTask() {
  const session = { api, workspaceId: 'wsp_1', me: { person: { userId: 'usr_1' } } } as never
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={session}>
        <Composer />
      </WorkspaceContext>
    </QueryClientProvider>,
  ).unmount
}
const field = () => screen.getByLabelText<HTMLInputElement>('Text')
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

function sendAndReturn() {
  const leave = openTask()
  fireEvent.change(field(), { target: { value: 'Why?' } })
  press('Ask')
  press('Send')
  leave()
  openTask()
}

test('a question that arrives after the person has left the task and returned is not asked again', async () => {
  sendAndReturn()
  expect(field().value).toBe('Why?')
  await act(async () => requests[0]!.finish())
  expect(field().value).toBe('')
  press('Ask')
  press('Send')
  expect(requests).toHaveLength(1)
})

test('the same question, sent again while it is being sent, has the same key', () => {
  sendAndReturn()
  press('Ask')
  press('Send')
  expect(requests.map(({ input }) => input)).toEqual([requests[0]!.input, requests[0]!.input])
})

test('what is written after returning is kept', async () => {
  sendAndReturn()
  fireEvent.change(field(), { target: { value: 'Why? And since when?' } })
  await act(async () => requests[0]!.finish())
  expect(field().value).toBe('Why? And since when?')
})

test('a failure after the person has left the task is announced, and shown when they return', async () => {
  sendAndReturn()
  cleanup()
  vi.useFakeTimers()
  await act(async () => requests[0]!.fail())
  vi.runAllTimers()
  vi.useRealTimers()
  expect(screen.getByRole('status').textContent).toBe("Your message to the agent wasn't sent.")
  openTask()
  expect(screen.getByText('Down.')).toBeTruthy()
  expect(field().value).toBe('Why?')
})

test('a question survives a reload until it is sent, and is not asked twice', async () => {
  sendAndReturn()
  await act(async () => requests[0]!.fail())
  cleanup()
  // A reload forgets only what is in memory.
  forgetInMemoryDrafts('usr_1')
  openTask()
  expect(field().value).toBe('Why?')
  press('Ask')
  press('Send')
  expect(requests[1]!.input).toEqual(requests[0]!.input)
  expect(countUnsaved('usr_1')).toBe(1)
  await act(async () => requests[1]!.finish())
  expect([field().value, countUnsaved('usr_1')]).toEqual(['', 0])
})
