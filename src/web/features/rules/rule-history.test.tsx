import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { RuleHistory } from './rule-history.tsx'

const at = '2026-11-12T16:20:00.000Z'

function show(history: object[]) {
  const me = { person: { email: 'mara@example.com' } }
  const members = [{ email: 'nora@example.com', name: 'nora van Dijk' }]
  const api = { members: async () => ({ members }), groups: async () => ({ groups: [] }) }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <RuleHistory history={history as never} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
}

test('"Show more" moves the focus to the first entry that it adds', async () => {
  show(Array.from({ length: 10 }, () => ({ at, action: 'rule.created', details: {} })))
  expect(screen.getAllByRole('listitem')).toHaveLength(8)
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
  expect(screen.getAllByRole('listitem')).toHaveLength(10)
  expect(document.activeElement).toBe(screen.getAllByRole('listitem')[8])
})

test('it says "You" to the person who reads it, and spells the names of others as they do', async () => {
  show([
    { at, action: 'rule.ended', by: 'mara@example.com', details: {} },
    { at, action: 'rule.created', by: 'nora@example.com', details: {} },
  ])
  await screen.findByText('You ended it')
  await screen.findByText('nora van Dijk created it')
})

test('a day of another year has its year', () => {
  show([{ at: '2020-03-05T12:00:00.000Z', action: 'rule.ended', details: {} }])
  expect(document.querySelector('time')?.textContent).toContain('2020')
})
