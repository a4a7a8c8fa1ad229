import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../lib/workspace.ts'
import { SettingsPage } from './settings.tsx'

const opened = vi.hoisted(() => ({ page: 'unknown', redirect: undefined as unknown }))
vi.mock('@tanstack/react-router', () => ({
  Navigate: (redirect: object) => {
    opened.redirect = redirect
    return null
  },
  Link: ({ to, children }: { to: string; children: ReactNode }) => <a href={to}>{children}</a>,
  useParams: () => ({ page: opened.page }),
}))
vi.mock('./settings-pages.ts', () => ({ pages: [], pageGroups: [] }))
vi.mock('../features/settings/failed-deliveries.tsx', () => ({ FailedDeliveries: () => null }))
vi.mock('../parts/shell/nav.tsx', () => ({ Nav: () => null }))
vi.mock('../lib/use-is-phone.ts', () => ({ useIsPhone: () => true }))

function open(page: string) {
  opened.page = page
  render(
    <WorkspaceContext value={{ workspaceId: 'acme' } as never}>
      <SettingsPage />
    </WorkspaceContext>,
  )
}

test('on a phone, a page that does not exist leads back to the settings', () => {
  open('unknown')
  screen.getByText('Page not found')
  screen.getByRole('link', { name: 'Settings' })
})

test('the former address of the preferences leads to them', () => {
  open('appearance')
  const params = { workspaceId: 'acme', page: 'preferences' }
  expect(opened.redirect).toEqual({ to: '/w/$workspaceId/settings/$page', params, replace: true })
})
