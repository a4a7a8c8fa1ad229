import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { test, vi } from 'vitest'
import { WorkspaceContext } from '../lib/workspace.ts'
import { SettingsPage } from './settings.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: ({ to, children }: { to: string; children: ReactNode }) => <a href={to}>{children}</a>,
  useParams: () => ({ page: 'unknown' }),
}))
vi.mock('./settings-pages.ts', () => ({ pages: [], pageGroups: [] }))
vi.mock('../features/settings/failed-deliveries.tsx', () => ({ FailedDeliveries: () => null }))
vi.mock('../parts/shell/nav.tsx', () => ({ Nav: () => null }))
vi.mock('../lib/use-is-phone.ts', () => ({ useIsPhone: () => true }))

test('on a phone, a page that does not exist leads back to the settings', () => {
  render(
    <WorkspaceContext value={{ workspaceId: 'acme' } as never}>
      <SettingsPage />
    </WorkspaceContext>,
  )
  screen.getByText('Page not found')
  screen.getByRole('link', { name: 'Settings' })
})
