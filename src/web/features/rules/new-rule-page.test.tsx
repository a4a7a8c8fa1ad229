import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { suggestionKey } from './dismissed-suggestions.ts'
import { NewRulePage } from './new-rule-page.tsx'

const search = vi.hoisted(() => ({ app: 'shop', type: 'refund', suggestion: '' }))
const navigate = vi.hoisted(() => vi.fn())
vi.mock('@tanstack/react-router', () => ({ useSearch: () => search, useNavigate: () => navigate }))
vi.mock('./rules-frame.tsx', () => ({ RulesFrame: ({ children }: { children: ReactNode }) => children }))

const suggestion = {
  name: 'Small refunds',
  when: [{ field: 'amount', is: 'atMost', value: 40 }],
  answer: { actionId: 'approve', actionTitle: 'Approve' },
  allowedDisagreement: 0.02,
} as never
const key = suggestionKey(search, suggestion)

const createRule = vi.fn()

function show(ruleSuggestions: () => Promise<unknown>, pairs: object[] = [], role = 'admin') {
  const api = {
    ruleSuggestions,
    listTasks: async () => ({ tasks: [] }),
    statistics: async () => ({ pairs }),
    backtestRule: () => new Promise(() => undefined),
    members: async () => ({ members: [] }),
    createRule,
  }
  const me = { workspaces: [{ workspaceId: 'wsp_1', role }] }
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  return render(
    <QueryClientProvider client={client}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <NewRulePage />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
}

test('the form starts with the chosen suggestion, wherever it is in the list now', async () => {
  search.suggestion = key
  const other = { ...(suggestion as object), name: 'Other', when: [] }
  show(async () => ({ suggestions: [other, suggestion] }))
  await screen.findByDisplayValue('Small refunds')
})

test('a suggestion that no longer exists is said above the empty form', async () => {
  search.suggestion = key
  show(async () => ({ suggestions: [] }))
  await screen.findByText(/^This suggestion no longer exists\./)
  expect((screen.getByLabelText('Name') as HTMLInputElement).value).toBe('')
})

test('a suggestion that cannot be loaded is not replaced by an empty form', async () => {
  search.suggestion = key
  show(async () => {
    throw new Error('The service could not be reached.')
  })
  await screen.findByRole('button', { name: 'Try again' })
  expect(screen.queryByLabelText('Name')).toBeNull()
})

test('apps and types that only rules or deadlines have answered are not offered', async () => {
  search.suggestion = ''
  show(async () => ({ suggestions: [] }), [{ app: 'books', type: 'refund', answers: 0, rules: 12 }])
  await screen.findByText(/^People haven't answered any tasks in the last 90 days\./)
  expect(screen.queryByRole('option', { name: 'books' })).toBeNull()
})

test('a member reads who can create rules, and sees no form', async () => {
  search.suggestion = ''
  show(async () => ({ suggestions: [] }), [], 'member')
  await screen.findByText('Only admins and owners can create rules.')
  expect(screen.queryByRole('button', { name: 'Create rule' })).toBeNull()
})

test('a rule that is created after the person has left the page is not opened', async () => {
  search.suggestion = key
  let respond: (rule: object) => void = () => undefined
  createRule.mockImplementation(() => new Promise((resolve) => (respond = resolve)))
  const { unmount } = show(async () => ({ suggestions: [suggestion] }))
  await screen.findByDisplayValue('Small refunds')
  await vi.waitFor(() => {
    fireEvent.click(screen.getByText('Create rule'))
    expect(createRule).toHaveBeenCalled()
  })
  unmount()
  respond({ ruleId: 'rul_1' })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(navigate).not.toHaveBeenCalled()
})
