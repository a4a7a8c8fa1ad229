import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { Workspace } from './workspace.tsx'

const url = vi.hoisted(() => ({ workspaceId: 'wsp_a' }))
vi.mock('@tanstack/react-router', () => ({
  Outlet: () => 'Inbox',
  useLocation: () => '/',
  useParams: () => url,
}))
vi.mock('../answers/use-answer-sync.ts', () => ({ useAnswerSync: () => undefined }))
vi.mock('./shell-keys.tsx', () => ({ ShellKeys: () => null }))

function TwoFactorPage({ isNeeded, onContinue }: { isNeeded: boolean; onContinue: () => void }) {
  return (
    <button type="button" onClick={onContinue}>
      {isNeeded ? 'Set up' : 'Continue'}
    </button>
  )
}

const queryClient = new QueryClient()

function open(workspaceId: string, needsTwoFactor = true) {
  url.workspaceId = workspaceId
  const workspaces = [{ workspaceId: 'wsp_a', needsTwoFactor }, { workspaceId: 'wsp_b' }]
  queryClient.setQueryData(['me'], { person: { userId: 'usr_1', email: 'mara@shop.example' }, workspaces })
  return (
    <QueryClientProvider client={queryClient}>
      <Workspace twoFactorRequiredPage={TwoFactorPage} />
    </QueryClientProvider>
  )
}

test('a workspace that requires two-factor authentication does not affect another one', () => {
  const { container, rerender } = render(open('wsp_b'))
  expect(container.textContent).toBe('Inbox')
  rerender(open('wsp_a'))
  expect(container.textContent).toBe('Set up')
  rerender(open('wsp_b'))
  expect(container.textContent).toBe('Inbox')
})

test('the page that sets up two-factor authentication stays until the person continues', async () => {
  const { container, rerender } = render(open('wsp_a'))
  rerender(open('wsp_a', false))
  await vi.waitFor(() => expect(container.textContent).toBe('Continue'))
  screen.getByRole('button').click()
  await vi.waitFor(() => expect(container.textContent).toBe('Inbox'))
})
