import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { Conversation } from './conversation.tsx'

vi.mock('../revisions/revision-frame.tsx', () => ({ RevisionFrame: () => null }))

const at = '2026-11-15T09:00:00.000Z'
const asked = {
  questionId: 'qst_1',
  askedBy: 'mara@shop.example',
  askedAt: at,
  text: 'Which card?',
  answer: {},
}
const reply = { updateId: 'upd_1', at, message: 'Visa', answers: 'qst_1' }
const revision = { updateId: 'upd_2', at, message: 'New price', revision: 2 }

test.each([
  [[asked], [{ ...reply, revision: 2 }], 'Conversation 1 question, 1 reply'],
  [[], [revision], 'Conversation 1 revision'],
  [[asked], [reply, revision], 'Conversation 1 question, 1 reply, 1 revision'],
])('a revision that nobody asked for is not a reply (%#)', (questions, updates, heading) => {
  show({ questions, updates })
  expect(screen.getByRole('heading').textContent).toBe(heading)
})

test('one question without a reply does not say that the agent replied to none', () => {
  const unanswered = { ...asked, questionId: 'qst_2', answer: undefined }
  show({ questions: [unanswered, asked], updates: [reply] })
  expect(screen.getByRole('status').textContent).toBe(
    'A question got no reply in time. The task is back in its place in the inbox, and the agent can still reply.',
  )
})

function show(conversation: object) {
  const task = { taskId: 'tsk_1', app: 'shop', status: 'open', revision: 2, ...conversation }
  const api = { members: async () => ({ members: [] }) }
  const me = { person: { email: 'omar@shop.example' } }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <Conversation task={task as unknown as MemberTaskRecord} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
}
