import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { EditRulePage } from './edit-rule-page.tsx'

vi.mock('@tanstack/react-router', () => ({
  useParams: () => ({ ruleId: 'rul_1' }),
  useNavigate: () => () => undefined,
}))
vi.mock('./rules-frame.tsx', () => ({ RulesFrame: ({ children }: { children: ReactNode }) => children }))

const rule = {
  ruleId: 'rul_1',
  name: 'Small refunds',
  app: 'shop',
  type: 'refund',
  when: [{ field: 'amount', is: 'atMost', value: 40 }],
  answer: { actionId: 'approve', actionTitle: 'Approve' },
  sample: 0.1,
  until: '2030-01-01T12:00:00.000Z',
  allowedDisagreement: 0.02,
}

function show(stored: object) {
  const changeRule = vi.fn(async () => stored)
  const api = {
    rule: async () => stored,
    changeRule,
    listTasks: async () => ({ tasks: [] }),
    backtestRule: () => new Promise(() => undefined),
  }
  const me = { workspaces: [{ workspaceId: 'wsp_1', role: 'admin' }] }
  const client = new QueryClient()
  render(
    <QueryClientProvider client={client}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <EditRulePage />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  return { client, changeRule }
}

test('a change by another admin while the form is open is not reverted', async () => {
  const { client, changeRule } = show(rule)
  const name = await screen.findByLabelText('Name')
  act(() => client.setQueryData(['rules', 'wsp_1', 'rul_1'], { ...rule, sample: 0.5 }))
  await userEvent.type(name, '!')
  await userEvent.click(screen.getByRole('button', { name: 'Save rule' }))
  await vi.waitFor(() => expect(changeRule).toHaveBeenCalledWith('rul_1', { name: 'Small refunds!' }))
})

test.each([
  ['active', 'The change takes effect for new tasks. The evidence is kept.'],
  ['paused', 'The rule stays paused. The evidence is kept.'],
])('the form says what a change of a rule does that is %s', async (state, note) => {
  show({ ...rule, state })
  await screen.findByText(note)
})

test('a change of the share that goes to people says that the evidence is reset', async () => {
  const { changeRule } = show({ ...rule, state: 'active' })
  await userEvent.click(await screen.findByRole('radio', { name: 'Every one' }))
  await screen.findByText(/The evidence is reset\./)
  await userEvent.click(screen.getByRole('button', { name: 'Save rule' }))
  await vi.waitFor(() => expect(changeRule).toHaveBeenCalledWith('rul_1', { sample: 1 }))
})
