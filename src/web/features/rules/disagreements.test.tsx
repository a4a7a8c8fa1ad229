import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { Disagreements } from './disagreements.tsx'

vi.mock('@tanstack/react-router', () => ({ Link: () => null }))

type Data = Record<string, unknown>

function show(samples: { answered: number; agreed: number }, ours: Data = {}, theirs: Data[] = []) {
  const disagreements = theirs.map((data, n) => ({
    taskId: `tsk_${n}`,
    name: 'Refund',
    at: '2026-11-12T16:20:00.000Z',
    outcome: 'answered',
    context: {},
    isContentDeleted: false,
    actionTitle: 'Approve',
    data,
  }))
  const rule = { samples, disagreements, answer: { actionTitle: 'Approve', data: ours } }
  const api = { members: async () => ({ members: [] }), groups: async () => ({ groups: [] }) }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, workspaceId: 'wsp_1' } as never}>
        <Disagreements rule={rule as never} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
}

test('without disagreements it says that people answered like the rule', () => {
  show({ answered: 3, agreed: 3 })
  screen.getByText('People answered every sample like the rule.')
})

test('a revised task that is still open counts, and is not called an answer like the rule', () => {
  show({ answered: 1, agreed: 0 })
  screen.getByText(/^Tasks that the agent revised count as disagreements\./)
  expect(screen.queryByText(/every sample like the rule/)).toBeNull()
})

test('of many fields, those that differ are first, and the number of the others is shown', () => {
  const same = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`field${n}`, { size: n }]))
  show({ answered: 1, agreed: 0 }, { ...same, amount: 5 }, [{ comment: 'Fine', ...same, amount: 7 }])
  const [ours = [], theirs = []] = screen
    .getAllByRole('list')
    .map((list) => [...list.children].map((line) => line.textContent))
  expect(ours).toHaveLength(8)
  expect(ours[0]).toBe('amount: 5')
  expect(theirs.slice(0, 3)).toEqual(['amount: 7', 'comment: Fine', 'field0: {"size":0}'])
  screen.getByRole('button', { name: 'Show 3 more of 11 fields' })
  screen.getByRole('button', { name: 'Show 4 more of 12 fields' })
})
