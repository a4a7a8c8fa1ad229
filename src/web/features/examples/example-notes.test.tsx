import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { ExampleNotes } from './example-notes.tsx'

type LinkProps = { to: string; params: { page: string }; children: ReactNode }
vi.mock('@tanstack/react-router', () => ({
  Link: ({ to, params, children }: LinkProps) => <a href={to.replace('$page', params.page)}>{children}</a>,
}))

test('who cannot get enough answers is led to the page where they can invite colleagues', () => {
  render(
    <WorkspaceContext value={{ workspaceId: 'acme' } as never}>
      <ExampleNotes payload={{} as never} reviewers={{ needed: 2, available: 0 }} />
    </WorkspaceContext>,
  )
  const link = screen.getByRole('link', { name: 'Invite colleagues' })
  expect(link.getAttribute('href')).toContain('/settings/invitations')
})
