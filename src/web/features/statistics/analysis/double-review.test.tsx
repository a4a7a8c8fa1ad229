import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { DoubleReview } from './double-review.tsx'

let isAdmin = true
vi.mock('../../../lib/role.ts', () => ({ useRole: () => ({ isAtLeast: () => isAdmin }) }))
vi.mock('@tanstack/react-router', () => ({
  Link: ({ children, params }: { children: ReactNode; params: { page: string } }) => (
    <a href={`/settings/${params.page}`}>{children}</a>
  ),
}))

function show(policies: () => Promise<unknown>, setDoubleReviews = vi.fn()) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const api = { policies, setDoubleReviews }
  render(
    <QueryClientProvider client={client}>
      <WorkspaceContext value={{ api, workspaceId: 'wsp_1' } as never}>
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

test('the switch turns double reviews of exactly this app and type on and off', async () => {
  isAdmin = true
  let share = 0
  const save = vi.fn(async (input: { share: number }) => {
    share = input.share
  })
  const policy = () => ({ app: 'shop', type: 'refund', ...(share && { doubleReviewShare: share }) })
  show(async () => ({ policies: [policy()] }), save)
  const toggle = await screen.findByRole('switch', { name: /^Send 5\s% of tasks to two people$/ })
  for (const share of [0.05, 0]) {
    fireEvent.click(toggle)
    await vi.waitFor(() => expect(save).toHaveBeenLastCalledWith({ app: 'shop', type: 'refund', share }))
    await vi.waitFor(() => expect(toggle).toHaveProperty('checked', share > 0))
  }
})

test.each([
  [{ type: 'refund', answerWithinMinutes: 60 }, /A policy for more than this app and type applies\./],
  [{ app: 'shop', type: 'refund', needed: 2 }, /already asks several people\./],
])(
  'where the policy is %j, an admin reads why there is no switch, and where to change it',
  async (policy, why) => {
    isAdmin = true
    show(async () => ({ policies: [policy] }))
    await screen.findByText(why)
    expect(screen.getByRole('link', { name: 'Settings, Policies' }).getAttribute('href')).toBe(
      '/settings/policies',
    )
    expect(screen.queryByRole('switch')).toBeNull()
  },
)

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
  expect(screen.queryByRole('switch')).toBeNull()
})
