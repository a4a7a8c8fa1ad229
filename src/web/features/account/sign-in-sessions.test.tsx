import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { accountApi } from './account-api.ts'
import { SignInSessions } from './sign-in-sessions.tsx'

vi.mock('../../parts/shell/use-sign-out.tsx', () => ({ useSignOut: () => ({}) }))

test('the current session is marked, and only the others have a button', async () => {
  const at = '2026-11-01T08:00:00Z'
  const session = { createdAt: at, updatedAt: at, userAgent: '' }
  vi.spyOn(accountApi, 'sessions').mockResolvedValue([
    { ...session, token: 'here', isCurrent: true },
    { ...session, token: 'there', isCurrent: false },
  ] as never)
  const revoke = vi.spyOn(accountApi, 'revokeSession').mockResolvedValue(undefined as never)
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SignInSessions />
    </QueryClientProvider>,
  )
  const [here, there] = await screen.findAllByRole('listitem')
  within(here!).getByText('Current session')
  expect(within(here!).queryByRole('button')).toBeNull()
  fireEvent.click(within(there!).getByRole('button'))
  await waitFor(() => expect(revoke.mock.calls[0]?.[0]).toBe('there'))
})

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
