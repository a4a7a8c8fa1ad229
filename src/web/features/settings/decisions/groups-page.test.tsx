import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { GroupsPage } from './groups-page.tsx'

// Loaded lazily, which takes seconds on a busy machine.
beforeAll(() => import('../../../ui/dialog-window.tsx'))

const finance = { groupId: 'grp_1', slug: 'finance', name: 'Finance', members: [] }

/** Shows the group, and clicks Edit. The returned function ends the refetch. */
async function clickEdit() {
  let load: (groups: unknown[]) => void = () => undefined
  const groups = vi.fn(() => Promise.resolve({ groups: [finance] }))
  const api = { groups, members: async () => ({ members: [] }) }
  const me = { workspaces: [{ workspaceId: 'wsp_1', role: 'admin' }] }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <GroupsPage />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  const button = await screen.findByRole('button', { name: 'Edit Finance' })
  groups.mockImplementation(
    () =>
      new Promise((resolve) => {
        load = (list) => resolve({ groups: list as never })
      }),
  )
  await userEvent.click(button)
  return async (list: unknown[]) => {
    await act(async () => load(list))
  }
}

test('Edit opens the group as it is now', async () => {
  const load = await clickEdit()
  await load([{ ...finance, name: 'Accounting' }])
  await screen.findByRole('dialog', { name: 'Edit Accounting' })
})

test('the button says that the group is being opened', async () => {
  const load = await clickEdit()
  const button = screen.getByRole('button', { name: 'Opening…' })
  expect(document.activeElement).toBe(button)
  await load([finance])
  await screen.findByRole('dialog', { name: 'Edit Finance' })
  expect(button.textContent).toBe('Edit')
})

test('a dialog that was opened meanwhile stays', async () => {
  const load = await clickEdit()
  await userEvent.click(screen.getByRole('button', { name: 'Create group' }))
  await screen.findByRole('dialog', { name: 'Create group' })
  await load([finance])
  expect(screen.getAllByRole('dialog')).toEqual([screen.getByRole('dialog', { name: 'Create group' })])
})

test('a group that was deleted meanwhile is named', async () => {
  const load = await clickEdit()
  await load([])
  await vi.waitFor(() => expect(document.body.textContent).toContain('The group Finance no longer exists.'))
  expect(screen.queryByRole('dialog')).toBeNull()
})
