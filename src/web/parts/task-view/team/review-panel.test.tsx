import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { TaskDisplayContext, useTaskDisplayState } from '../comparisons/task-display.ts'
import ReviewPanel from './review-panel.tsx'

const winner = { title: 'Winner', enum: ['atlas', 'birch'], enumNames: ['Atlas', 'Birch'] }

const task = {
  taskId: 'tsk_1',
  name: 'Which one?',
  description: 'Pick one.',
  status: 'open',
  context: {
    data: { drafts: [{ name: 'atlas' }, { name: 'birch' }] },
    ui: { drafts: { 'ui:widget': 'compare', 'ui:options': { blind: true } } },
  },
  actions: [
    {
      id: 'pick',
      title: 'Publish atlas or birch',
      schema: { type: 'object', properties: { winner } },
      ui: { winner: { 'ui:options': { compare: 'drafts' } } },
    },
  ],
  review: {
    you: 'answered',
    needed: 2,
    answers: [
      {
        by: 'mara@shop.example',
        at: '2026-11-15T09:00:00.000Z',
        actionId: 'pick',
        actionTitle: 'Publish atlas or birch',
        data: { winner: 'birch' },
        via: 'web',
      },
    ],
  },
} as unknown as MemberTaskRecord

function Panel() {
  const display = useTaskDisplayState(task, [])
  return (
    <TaskDisplayContext value={display}>
      <ReviewPanel task={display.task!} />
    </TaskDisplayContext>
  )
}

test('the answers given so far do not reveal the names of a blind comparison', async () => {
  const members = async () => ({ members: [] })
  const session = { me: {}, workspaceId: 'wsp_1', api: { members } } as never
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <WorkspaceContext value={session}>
        <Panel />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  const answers = await screen.findByRole('list', { name: 'Answers' })
  expect(answers.textContent).toMatch(/^Publish Item \d or Item \d/)
  expect(answers.textContent).not.toMatch(/atlas|birch/i)
})
