import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { preference, setPreference } from '../../lib/preferences.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import AccountDropdown from './account-dropdown.tsx'

const screenSize = vi.hoisted(() => ({ isPhone: true }))
vi.mock('../../lib/use-is-phone.ts', () => ({ useIsPhone: () => screenSize.isPhone }))
const navigate = vi.hoisted(() => vi.fn())
vi.mock('@tanstack/react-router', () => ({ useNavigate: () => navigate }))
vi.mock('./use-sign-out.tsx', () => ({ useSignOut: () => ({}) }))

afterEach(() => {
  screenSize.isPhone = true
  setPreference('singleKeys', 'on')
})

function show(...names: string[]) {
  const workspaces = names.map((name) => ({ workspaceId: name, name }))
  const me = { person: { email: 'olga@shop.example' }, workspaces }
  render(
    <WorkspaceContext value={{ workspaceId: names[0], me } as never}>
      <AccountDropdown
        trigger={<button type="button">Account</button>}
        isOpen
        onOpenChange={() => undefined}
      />
    </WorkspaceContext>,
  )
  return names.filter((name) => screen.getByRole('menu').textContent.includes(name))
}

test('on a phone, the account menu names the workspaces if there are several', () => {
  expect(show('Acme', 'Harbour Goods')).toEqual(['Acme', 'Harbour Goods'])
  cleanup()
  expect(show('Acme')).toEqual([])
  cleanup()
  screenSize.isPhone = false
  expect(show('Acme', 'Harbour Goods')).toEqual([])
})

test('the account menu opens the account and switches single-key shortcuts off', async () => {
  screenSize.isPhone = false
  show('Acme')
  await userEvent.click(screen.getByRole('menuitem', { name: 'Your account' }))
  const params = { workspaceId: 'Acme', page: 'account' }
  expect(navigate).toHaveBeenCalledWith({ to: '/w/$workspaceId/settings/$page', params })
  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: /^Single-key shortcuts/ }))
  expect(preference('singleKeys')).toBe('off')
})
