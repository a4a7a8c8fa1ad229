import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { accountApi } from './account-api.ts'
import { SignInSessions } from './sign-in-sessions.tsx'

vi.mock('../../parts/shell/use-sign-out.tsx', () => ({ useSignOut: () => ({}) }))

test('each session has its own button, and the heading gets the focus when a session is ended', async () => {
  const listed = ['2026-11-01T08:00:00Z', '2026-11-02T09:30:00Z'].map((createdAt, n) => ({
    token: `token ${n}`,
    createdAt,
    updatedAt: createdAt,
    userAgent: '',
    isCurrent: false,
  }))
  vi.spyOn(accountApi, 'sessions').mockImplementation(async () => [...listed] as never)
  vi.spyOn(accountApi, 'revokeSession').mockImplementation(async () => listed.shift() as never)
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SignInSessions />
    </QueryClientProvider>,
  )
  const [first, second] = await screen.findAllByRole('button', { name: /^Sign out .*signed in/ })
  expect(first!.getAttribute('aria-label')).not.toBe(second!.getAttribute('aria-label'))
  first!.focus()
  fireEvent.click(first!)
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1))
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Sessions' }))
})
