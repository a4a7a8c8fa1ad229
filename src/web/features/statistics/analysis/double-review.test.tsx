import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { DoubleReview } from './double-review.tsx'

let isAdmin = true
vi.mock('../../../lib/role.ts', () => ({ useRole: () => ({ isAtLeast: () => isAdmin }) }))

function show(policies: () => Promise<unknown>) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <WorkspaceContext value={{ api: { policies }, workspaceId: 'wsp_1' } as never}>
        <DoubleReview run={{ app: 'shop', type: 'refund', taskCount: 60 } as never} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  return client
}

test('policies that cannot be loaded are not reported as a failed change', async () => {
  isAdmin = true
  show(async () => {
    throw new Error('The service could not be reached.')
  })
  await screen.findByText(/The policies couldn't be loaded\./)
  expect(screen.queryByText(/The policy wasn't changed\./)).toBeNull()
})

test.each([
  [[], true],
  [[{ type: 'refund', answerWithinMinutes: 60 }], false],
  [[{ app: 'shop', type: 'refund', needed: 2 }], false],
])('members read that an admin can turn it on only if admins can: %j', async (policies, canTurnOn) => {
  isAdmin = false
  const client = show(async () => ({ policies }))
  await vi.waitFor(() => expect(client.getQueryData(['policies', 'wsp_1'])).toEqual(policies))
  await screen.findByText(/Shows how much depends on who answers/)
  if (canTurnOn) await screen.findByText(/An admin can turn it on/)
  else expect(screen.queryByText(/An admin can turn it on/)).toBeNull()
})
