import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, configure, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import AssignDialog from './assign-dialog.tsx'

// The dialog's script is loaded on demand.
configure({ asyncUtilTimeout: 20_000 })
afterEach(cleanup)

const assignTask = vi.fn(async (_: string, __: { to: string | null }) => ({}))

/** Returns a function that finishes loading the groups. */
async function open(memberCount: number, assignedTo?: string) {
  const number = (n: number) => String(n).padStart(2, '0')
  const members = Array.from({ length: memberCount }, (_, n) => ({
    email: `m${number(n)}@shop.example`,
    name: `Member ${number(n)}`,
  }))
  let loadGroups: (groups: object) => void = () => undefined
  const api = {
    members: async () => ({ members }),
    groups: () => new Promise((resolve) => (loadGroups = resolve)),
    assignTask,
  }
  const session = { api, workspaceId: 'acme', me: { person: { email: 'm00@shop.example' } } }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={session as never}>
        <AssignDialog task={{ taskId: 'tsk_1', assignedTo } as never} onClose={() => undefined} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  await screen.findByRole('option', { name: /Member 00/ })
  return (name: string) => act(async () => loadGroups({ groups: [{ slug: 'all', name, members: [] }] }))
}

test('the assignment can be removed in a workspace with many members', async () => {
  await open(80, 'm05@shop.example')
  await userEvent.click(screen.getByRole('option', { name: /^No one/ }))
  screen.getByRole('button', { name: /^Remove assignment/ })
})

test('options that are loaded later do not change what the person has reached', async () => {
  const loadGroups = await open(3)
  await userEvent.type(screen.getByRole('combobox'), '{ArrowDown}{ArrowDown}')
  const reached = () => screen.getByRole('option', { selected: true }).textContent
  expect(reached()).toContain('Member 02')
  await loadGroups('All')
  await screen.findByRole('option', { name: /^All/ })
  expect(reached()).toContain('Member 02')
  await userEvent.keyboard('{Enter}')
  expect(assignTask.mock.calls[0]![1].to).toBe('m02@shop.example')
})

test('after the person has typed, the first match is reached', async () => {
  await open(3)
  await userEvent.type(screen.getByRole('combobox'), 'member{ArrowDown}')
  await userEvent.type(screen.getByRole('combobox'), ' 0')
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('Member 00')
})
