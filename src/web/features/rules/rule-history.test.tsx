import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { RuleHistory } from './rule-history.tsx'

afterEach(cleanup)

test('"Show more" moves the focus to the first entry that it adds', async () => {
  const at = '2026-11-12T16:20:00.000Z'
  const history = Array.from({ length: 10 }, () => ({ at, action: 'rule.created', details: {} })) as never
  const me = { person: { email: 'mara@example.com' } }
  const api = { members: async () => ({ members: [] }) }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <RuleHistory history={history} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  expect(screen.getAllByRole('listitem')).toHaveLength(8)
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
  expect(screen.getAllByRole('listitem')).toHaveLength(10)
  expect(document.activeElement).toBe(screen.getAllByRole('listitem')[8])
})
