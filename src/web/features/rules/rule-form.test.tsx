import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, renderHook, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { beforeAll, expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { emptyDraft } from './rule-draft.ts'
import { RuleForm } from './rule-form.tsx'
import { useBacktest } from './use-backtest.ts'

const check = vi.hoisted(() => vi.fn())
vi.mock('../../parts/form/schema-form.tsx', () => ({
  default: ({ handle }: { handle: { current: unknown } }) => {
    handle.current = { check }
    return <p>Form</p>
  },
}))
beforeAll(() => import('../../parts/form/schema-form.tsx'))

const task = {
  taskId: 'tsk_1',
  context: { data: { order: '77' } },
  actions: [{ id: 'approve', title: 'Approve', schema: { type: 'object', properties: { note: {} } } }],
}
const tasks = { listTasks: async () => ({ tasks: [task] }), getTask: async () => task }

function wrapperWith(api: object) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const value = { api: { backtestRule: () => new Promise(() => undefined), ...api }, workspaceId: 'wsp_1' }
  return ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <WorkspaceContext value={value as never}>{children}</WorkspaceContext>
    </QueryClientProvider>
  )
}

const nothing = () => undefined
function showForm(api: object) {
  const onSubmit = vi.fn()
  const initial = {
    ...emptyDraft({ app: 'shop', type: 'refund' }),
    name: 'Refunds',
    actionId: 'approve',
    when: [{ field: 'order', is: 'equals' as const, value: '123' }],
  }
  const props = {
    initial,
    isNew: false,
    isPending: false,
    problem: null,
    effectOf: nothing,
    onCancel: nothing,
  }
  render(<RuleForm {...props} submitLabel="Save rule" onSubmit={onSubmit} />, { wrapper: wrapperWith(api) })
  return onSubmit
}

test('a second click while the form of the answer is checked does not submit again', async () => {
  let finish: (checked: { errors: [] }) => void = nothing
  check.mockReturnValue(new Promise((resolve) => (finish = resolve)))
  const onSubmit = showForm(tasks)
  await screen.findByText('Form')
  const save = screen.getByRole('button', { name: 'Save rule' })
  await userEvent.dblClick(save)
  expect(save.getAttribute('aria-disabled')).toBe('true')
  finish({ errors: [] })
  await vi.waitFor(() => expect(save.getAttribute('aria-disabled')).toBe('false'))
  expect(onSubmit).toHaveBeenCalledTimes(1)
})

test('a rule is not saved before the newest task is loaded, and a failure can be retried', async () => {
  check.mockResolvedValue({ errors: [] })
  const getTask = vi.fn().mockRejectedValueOnce(new Error('The service could not be reached.'))
  getTask.mockResolvedValue(task)
  const onSubmit = showForm({ ...tasks, getTask })
  await screen.findByText(/^The newest task couldn't be loaded\./)
  await userEvent.click(screen.getByRole('button', { name: 'Save rule' }))
  expect(onSubmit).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('Form')
  await userEvent.click(screen.getByRole('button', { name: 'Save rule' }))
  await vi.waitFor(() => expect(onSubmit).toHaveBeenCalledTimes(1))
  expect(onSubmit.mock.calls[0]![0].when).toEqual([{ field: 'order', is: 'equals', value: '123' }])
})

test('the actions are those of the newest task that still has its content', async () => {
  const cleared = { ...task, taskId: 'tsk_2', contentDeletedAt: '2026-11-18T12:00:00.000Z' }
  const getTask = vi.fn(async () => task)
  showForm({ listTasks: async () => ({ tasks: [cleared, task] }), getTask })
  await screen.findByText('Form')
  expect(getTask).toHaveBeenCalledWith('tsk_1', expect.anything(), expect.anything())
})

test('the result of another app or type is not shown while the next one is loaded', async () => {
  const answers = { refund: Promise.resolve({ perDay: 7 }), reply: new Promise(nothing) }
  const backtestRule = vi.fn(({ type }: { type: keyof typeof answers }) => answers[type])
  const rule = (type: string, actionId: string) => ({ app: 'shop', type, when: [], answer: { actionId } })
  const { result, rerender } = renderHook((one) => useBacktest(one), {
    wrapper: wrapperWith({ backtestRule }),
    initialProps: rule('refund', 'approve'),
  })
  await vi.waitFor(() => expect(result.current.data).toEqual({ perDay: 7 }))
  answers.refund = new Promise(nothing)
  rerender(rule('refund', 'reject'))
  await vi.waitFor(() => expect(backtestRule).toHaveBeenCalledTimes(2))
  expect(result.current.data).toEqual({ perDay: 7 })
  rerender(rule('reply', 'approve'))
  await vi.waitFor(() => expect(backtestRule).toHaveBeenCalledTimes(3))
  expect(result.current.data).toBeUndefined()
})
