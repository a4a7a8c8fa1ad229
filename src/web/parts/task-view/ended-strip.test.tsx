import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { TaskRecord } from '../../../contract/task.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import EndedStrip from './ended-strip.tsx'

const handled = {
  actionTitle: 'Approve',
  handledBy: 'mara@shop.example',
  handledAt: '2026-11-15T09:00:00.000Z',
  decidedBy: 'human',
}

test.each([
  [handled, /^mara@shop\.example answered “Approve” on /],
  [{ ...handled, handledBy: 'omar@shop.example' }, /^You answered “Approve” on /],
  // The answer of the first of those who agree is the result.
  [{ ...handled, answers: [{}, {}] }, /^2 people answered\. Result: “Approve” on /],
  [{ ...handled, decidedBy: 'timeout' }, /^The deadline passed, so the agent's default answer was used\./],
])('a task that ended elsewhere says how (%#)', (how, text) => {
  const api = { members: async () => ({ members: [] }), groups: async () => ({ groups: [] }) }
  const me = { person: { email: 'omar@shop.example' } }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <EndedStrip task={{ handled: how } as unknown as TaskRecord} drafts={[]} onNext={undefined} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  expect(screen.getByText(text)).toBeTruthy()
})
