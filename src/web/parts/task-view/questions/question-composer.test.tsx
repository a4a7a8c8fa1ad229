import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { QuestionComposer, QuestionSubmit } from './question-composer.tsx'
import { useQuestionComposer } from './use-question-composer.ts'

const task = { taskId: 'tsk_1', type: 'refund', revision: 1 } as never

function Composer() {
  const gate = { seenRevision: 1 } as never
  const composer = useQuestionComposer({ task, gate, isDisabled: false, onAsked: () => undefined })
  return (
    <>
      <button type="button" onClick={() => composer.open('question')}>
        Open
      </button>
      {composer.kind && (
        <>
          <QuestionComposer task={task} composer={composer} />
          <QuestionSubmit composer={composer} />
        </>
      )}
    </>
  )
}

test('while a question is being sent, its field keeps the focus, and Escape and Cancel do nothing', async () => {
  const api = { listTasks: async () => ({ tasks: [] }), askQuestion: () => new Promise(() => undefined) }
  const session = { api, workspaceId: 'acme', me: { person: { userId: 'mara', email: 'mara@shop.example' } } }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={session as never}>
        <Composer />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  const opener = screen.getByRole('button', { name: 'Open' })
  await userEvent.click(opener)
  await userEvent.keyboard('Why?{Escape}')
  expect(document.activeElement).toBe(opener)

  await userEvent.click(opener)
  await userEvent.click(screen.getByRole('button', { name: /^Ask the agent/ }))
  await userEvent.click(screen.getByRole('textbox'))
  await userEvent.keyboard('{Escape}')
  expect(document.activeElement).toBe(screen.getByRole('textbox'))
  await userEvent.click(screen.getByRole('button', { name: /^Cancel/ }))
  expect(document.activeElement).not.toBe(opener)
})
