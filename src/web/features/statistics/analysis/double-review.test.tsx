import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { DoubleReview } from './double-review.tsx'

vi.mock('../../../lib/role.ts', () => ({ useRole: () => ({ isAtLeast: () => true }) }))

test('policies that cannot be loaded are not reported as a failed change', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const policies = async () => {
    throw new Error('The service could not be reached.')
  }
  render(
    <QueryClientProvider client={client}>
      <WorkspaceContext value={{ api: { policies }, workspaceId: 'wsp_1' } as never}>
        <DoubleReview run={{ app: 'shop', type: 'refund', taskCount: 60 } as never} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  await screen.findByText(/The policies couldn't be loaded\./)
  expect(screen.queryByText(/The policy wasn't changed\./)).toBeNull()
})
