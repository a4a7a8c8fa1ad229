import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import AssignDialog from './assign-dialog.tsx'

// The dialog's script is loaded on demand.

const assignTask = vi.fn(async (_: string, __: { to: string | null }) => ({}))

/** Returns functions that finish loading the groups. */
async function open(memberCount: number, assignedTo?: string) {
  const number = (n: number) => String(n).padStart(2, '0')
  const members = Array.from({ length: memberCount }, (_, n) => ({
    email: `m${number(n)}@shop.example`,
    name: `Member ${number(n)}`,
  }))
  let [resolve, reject]: ((result: object) => void)[] = []
  const api = {
    members: async () => ({ members }),
    groups: () => new Promise((...settle) => ([resolve, reject] = settle)),
    assignTask,
  }
  const session = { api, workspaceId: 'acme', me: { person: { email: 'm00@shop.example' } } }
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <WorkspaceContext value={session as never}>
        <AssignDialog task={{ taskId: 'tsk_1', assignedTo } as never} onClose={() => undefined} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  await screen.findByRole('option', { name: /Member 00/ })
  return {
    loadGroups: (name: string) =>
      act(async () => resolve?.({ groups: [{ slug: 'all', name, members: [] }] })),
    failGroups: () => act(async () => reject?.(new Error('The service could not be reached.'))),
  }
}

test('the assignment can be removed in a workspace with many members', async () => {
  await open(80, 'm05@shop.example')
  await userEvent.click(screen.getByRole('option', { name: /^No one/ }))
  screen.getByRole('button', { name: /^Remove assignment/ })
})

test('options that are loaded later do not change what the person has reached', async () => {
  const { loadGroups } = await open(3)
  await userEvent.type(screen.getByRole('combobox'), '{ArrowDown}{ArrowDown}')
  const reached = () => screen.getByRole('option', { selected: true }).textContent
  expect(reached()).toContain('Member 02')
  await loadGroups('All')
  await screen.findByRole('option', { name: /^All/ })
  expect(reached()).toContain('Member 02')
  await userEvent.keyboard('{Enter}')
  expect(assignTask.mock.calls[0]![1].to).toBe('m02@shop.example')
})

test('the person themselves are first and nobody is last, one step away from each other', async () => {
  await open(3, 'm02@shop.example')
  const reached = () => screen.getByRole('option', { selected: true }).textContent
  const name = screen.getByRole('combobox')
  expect(reached()).toContain('Member 00')
  await userEvent.type(name, '{ArrowUp}')
  expect(reached()).toContain('No one')
  await userEvent.type(name, '{ArrowDown}{Enter}')
  expect(assignTask.mock.lastCall![1].to).toBe('m00@shop.example')
})

test('after the person has typed, the first match is reached', async () => {
  await open(3)
  await userEvent.type(screen.getByRole('combobox'), 'member{ArrowDown}')
  await userEvent.type(screen.getByRole('combobox'), ' 0')
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('Member 00')
})

test('the error says why a name cannot be chosen', async () => {
  const { loadGroups } = await open(3, 'm02@shop.example')
  const name = screen.getByRole('combobox')
  await userEvent.type(name, 'finance{Enter}')
  screen.getByText('The members and groups are still loading.')
  await loadGroups('All')
  await screen.findByText('No member or group matches.')
  await userEvent.clear(name)
  await userEvent.type(name, 'member 02{Enter}')
  screen.getByText('The task is already assigned to Member 02.')
})

test('the error says that the groups could not be loaded', async () => {
  const { failGroups } = await open(3)
  await failGroups()
  await userEvent.type(screen.getByRole('combobox'), 'finance{Enter}')
  screen.getByText("The members and groups couldn't be loaded.")
})
