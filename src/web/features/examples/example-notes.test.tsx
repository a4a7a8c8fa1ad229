import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { ExampleNotes, type Reviewers } from './example-notes.tsx'

type LinkProps = { to: string; params: { page: string }; children: ReactNode }
vi.mock('@tanstack/react-router', () => ({
  Link: ({ to, params, children }: LinkProps) => <a href={to.replace('$page', params.page)}>{children}</a>,
}))

function show(payload: object, reviewers?: Reviewers) {
  render(
    <WorkspaceContext value={{ workspaceId: 'acme' } as never}>
      <ExampleNotes payload={payload as never} reviewers={reviewers} />
    </WorkspaceContext>,
  )
}

test('who cannot get enough answers is led to the page where they can invite colleagues', () => {
  show({}, { needed: 2, available: 0 })
  const link = screen.getByRole('link', { name: 'Invite colleagues' })
  expect(link.getAttribute('href')).toContain('/settings/invitations')
})

test('says that nobody replies to questions, and who answers a task with a review', () => {
  show({ acceptsQuestions: true }, { needed: 2, available: 2 })
  screen.getByText(/^If you ask back, nobody replies/)
  screen.getByText("You send this task, so you can't answer it: 2 other people must give the same answer.")
})
