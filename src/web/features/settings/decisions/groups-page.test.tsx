import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { GroupsPage } from './groups-page.tsx'

// Loaded lazily, which takes seconds on a busy machine.
beforeAll(() => import('../../../ui/dialog-window.tsx'))

const finance = { groupId: 'grp_1', slug: 'finance', name: 'Finance', members: [] }
const members = ['Olga', 'Ana', 'Ben'].map((name) => ({
  name,
  email: `${name.toLowerCase()}@x.example`,
  role: name === 'Olga' ? 'owner' : 'member',
  emailVerified: true,
}))

function show(listed: object[], role = 'admin') {
  const api = {
    groups: vi.fn(() => Promise.resolve({ groups: listed })),
    members: async () => ({ members }),
    changeGroup: vi.fn(async () => undefined),
    deleteGroup: vi.fn(async () => undefined),
  }
  const me = { workspaces: [{ workspaceId: 'wsp_1', role }] }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <GroupsPage />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  return api
}

/** Shows the group, and clicks Edit. The returned function ends the refetch. */
async function clickEdit() {
  let load: (groups: unknown[]) => void = () => undefined
  const { groups } = show([finance])
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

test('saving a group sends only what was changed, so that changes by another admin are kept', async () => {
  const { changeGroup } = show([{ ...finance, members: ['ana@x.example'] }])
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Finance' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Finance' }))
  await vi.waitFor(() => expect(dialog.getByLabelText(/^Ana/)).toHaveProperty('checked', true))
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Accounting' } })
  await userEvent.click(dialog.getByRole('button', { name: 'Save group' }))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(changeGroup).toHaveBeenLastCalledWith('grp_1', { name: 'Accounting' })

  await userEvent.click(screen.getByRole('button', { name: 'Edit Finance' }))
  await userEvent.click(await screen.findByLabelText(/^Ben/))
  await userEvent.click(screen.getByRole('button', { name: 'Save group' }))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const both = ['ana@x.example', 'ben@x.example']
  expect(changeGroup).toHaveBeenLastCalledWith('grp_1', { members: both })
})

test('saving a group does not close a dialog that was opened meanwhile', async () => {
  const { changeGroup, groups } = show([finance])
  let save: (value: undefined) => void = () => undefined
  changeGroup.mockImplementation(() => new Promise((resolve) => (save = resolve)))
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Finance' }))
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Accounting' } })
  await userEvent.click(screen.getByRole('button', { name: 'Save group' }))
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await userEvent.click(screen.getByRole('button', { name: 'Create group' }))
  await screen.findByRole('dialog', { name: 'Create group' })
  groups.mockClear()
  save(undefined)
  await vi.waitFor(() => expect(groups).toHaveBeenCalled())
  await act(async () => undefined)
  screen.getByRole('dialog', { name: 'Create group' })
})

test('a dialog whose deletion fails stays and says why', async () => {
  const { deleteGroup } = show([finance])
  deleteGroup.mockRejectedValue(new Error('The policy bank / contract uses this group.'))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Finance' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete group' }))
  await within(screen.getByRole('dialog')).findByText(/The policy bank \/ contract uses this group\.$/)
})

test('a member sees the groups and their warnings, and whom to ask for a change', async () => {
  const warnings = ['No members, but a policy uses this group. Add members.']
  show([finance, { ...finance, groupId: 'grp_2', name: 'Legal', warnings }], 'member')
  await screen.findByText('Only admins and owners can create and change groups. Ask Olga.')
  const [empty, used] = screen.getAllByRole('listitem')
  within(empty!).getByText('No members.')
  within(used!).getByText(warnings[0]!)
  expect(within(used!).queryByText('No members.')).toBeNull()
  expect(screen.queryByRole('button', { name: /^(Create|Edit|Delete)/ })).toBeNull()
})
