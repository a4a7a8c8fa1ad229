import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { AnswerGate } from '../../../lib/answer-gate.ts'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { useAnswering } from '../answering/use-answering.ts'
import { type TaskDisplay, TaskDisplayContext } from './task-display.ts'

const text = { type: 'string' }
const publish = {
  id: 'publish',
  title: 'Publish',
  schema: {
    type: 'object',
    properties: { winner: text, tone: { ...text, default: 'friendly' }, note: text, subject: text },
  },
  ui: { note: { 'ui:options': { prefill: 'hint' } } },
}
const task = {
  taskId: 'tsk_1',
  revision: 1,
  actions: [{ id: 'again', title: 'Again' }, publish],
  context: { data: { hint: 'Short is better.' } },
}
const pick = { actionId: 'publish', property: 'winner', value: 'a' }
const session = {
  api: {},
  workspaceId: 'acme',
  me: { person: { userId: 'mara', email: 'mara@shop.example' } },
}

/** The drafts that a pick leads to. */
function draftsAfterPick(drafts: object[], isLoading = false) {
  const change = vi.fn()
  const pickHandler: TaskDisplay['pickHandler'] = { current: {} }
  const { unmount } = renderHook(
    () =>
      useAnswering({
        task: task as never,
        gate: { tryAccept: () => true, seenRevision: 1 } as AnswerGate,
        isEnded: false,
        drafts: { list: drafts, isLoading, state: 'untouched', change, save: vi.fn() } as never,
        onSend: async () => undefined,
      }),
    {
      wrapper: ({ children }) => (
        <QueryClientProvider client={new QueryClient()}>
          <WorkspaceContext value={session as never}>
            <TaskDisplayContext value={{ pickHandler } as TaskDisplay}>{children}</TaskDisplayContext>
          </WorkspaceContext>
        </QueryClientProvider>
      ),
    },
  )
  pickHandler.current.run?.(pick)
  unmount()
  return change.mock.calls
}

test('a pick before the form is shown keeps its defaults and prefilled texts', () => {
  const data = { winner: 'a', tone: 'friendly', note: 'Short is better.' }
  expect(draftsAfterPick([])).toEqual([['publish', data, 1]])
})

test('a pick before the form is shown keeps what the person has cleared', () => {
  const draft = { actionId: 'publish', data: { subject: 'Hello' }, revision: 1, updatedAt: '2026-11-18' }
  expect(draftsAfterPick([draft])).toEqual([['publish', { winner: 'a', subject: 'Hello' }, 1]])
})

test('a pick while the saved draft is loading does not replace it', () => {
  expect(draftsAfterPick([], true)).toEqual([])
})
