import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { HandrailProblem } from '../../../client/problem.ts'
import { api } from '../../lib/api.ts'
import { AuthorizePage } from './authorize-page.tsx'

vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  useLocation: () => '/authorize?client_id=app',
  Link: ({ children }: { children: ReactNode }) => <a href="/settings">{children}</a>,
}))
vi.mock('../../parts/shell/use-sign-out.tsx', () => ({ useSignOut: () => ({}) }))

afterEach(() => {
  vi.restoreAllMocks()
})

const request = {
  kind: 'request',
  client: {
    name: 'Refund app',
    address: 'app.example',
    isVerified: true,
    isLocal: false,
    returnsTo: 'login.app.example',
  },
  scopes: ['analysis:read'],
  workspaces: [{ workspaceId: 'wsp_1', name: 'Acme', role: 'owner' }],
}

function problem(status: number): HandrailProblem {
  const detail = 'The details.'
  return new HandrailProblem({ type: '', title: '', status, code: 'internal', detail, requestId: '' })
}

function open(workspaces: object[] = []) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const me = { kind: 'person', person: { email: 'olga@acme.example' }, workspaces }
  vi.spyOn(api, 'me').mockResolvedValue(me as never)
  render(
    <QueryClientProvider client={queryClient}>
      <AuthorizePage />
    </QueryClientProvider>,
  )
  return queryClient
}

test('a request that the service refuses cannot be connected', async () => {
  vi.spyOn(api, 'previewAuthorization').mockRejectedValue(problem(400))
  open()
  await screen.findByRole('heading', { name: "This app can't be connected" })
  expect(screen.queryByRole('button')).toBeNull()
})

test.each([
  ['https://login.app.example/callback', 'at login.app.example.', 'Return to login.app.example'],
  ['http://127.0.0.1:33418/callback', 'on your own computer.', 'Return to the app'],
  ['cursor://anysphere.cursor-mcp/oauth/callback', 'on your own computer.', 'Return to the app'],
])('an invalid request says where it leads: %s', async (address, where, link) => {
  const redirectTo = `${address}?error=invalid_scope`
  vi.spyOn(api, 'previewAuthorization').mockResolvedValue({ kind: 'invalid', redirectTo })
  open()
  expect((await screen.findByText(/Return only if/)).textContent).toContain(`you started this ${where}`)
  expect(screen.getByRole('link', { name: link }).getAttribute('href')).toBe(redirectTo)
})

test.each([0, 429, 503])('after a failure with status %i the page offers to try again', async (status) => {
  const preview = vi.spyOn(api, 'previewAuthorization').mockRejectedValueOnce(problem(status))
  open()
  const retry = await screen.findByRole('button', { name: 'Try again' })
  preview.mockResolvedValue(request as never)
  fireEvent.click(retry)
  await screen.findByRole('button', { name: 'Allow access' })
})

test('a failed refetch does not replace the form', async () => {
  const preview = vi.spyOn(api, 'previewAuthorization').mockResolvedValueOnce(request as never)
  const queryClient = open()
  const allow = await screen.findByRole('button', { name: 'Allow access' })
  preview.mockRejectedValue(problem(503))
  await act(() => queryClient.refetchQueries({ queryKey: ['authorization'] }))
  expect(preview).toHaveBeenCalledTimes(2)
  expect(allow.isConnected).toBe(true)
})

test('the form names the access that the app asks for, and both buttons show that a decision is being sent', async () => {
  vi.spyOn(api, 'previewAuthorization').mockResolvedValue(request as never)
  const decide = vi.spyOn(api, 'decideAuthorization').mockReturnValue(new Promise(() => undefined))
  open()
  await screen.findByRole('heading', {
    name: 'Refund app wants to read the feedback analysis of your workspace',
  })
  screen.getByText(/You'll return to login\.app\.example\./)
  fireEvent.submit(screen.getByRole('button', { name: 'Allow access' }).closest('form')!)
  await screen.findByRole('button', { name: 'Allowing…' })
  const cancel = screen.getByRole('button', { name: 'Cancel' })
  expect(cancel.getAttribute('aria-disabled')).toBe('true')
  fireEvent.click(cancel)
  expect(decide).toHaveBeenCalledOnce()
})

test.each([
  ['a workspace', request.workspaces],
  ['no workspace', []],
])('with %s to choose, a decision that failed is reported and can be repeated', async (_, workspaces) => {
  vi.spyOn(api, 'previewAuthorization').mockResolvedValue({ ...request, workspaces } as never)
  const decide = vi.spyOn(api, 'decideAuthorization').mockRejectedValueOnce(problem(0))
  decide.mockReturnValue(new Promise(() => undefined))
  open(request.workspaces)
  const cancel = await screen.findByRole('button', { name: 'Cancel' })
  fireEvent.click(cancel)
  await screen.findByText(/^The request wasn't completed\./)
  fireEvent.click(cancel)
  await vi.waitFor(() => expect(decide).toHaveBeenCalledTimes(2))
  const declined = { query: 'client_id=app' }
  expect(decide.mock.calls).toEqual([[declined], [declined]])
})

test('a workspace that requires a second factor is named as such, not as one that does not allow apps', async () => {
  vi.spyOn(api, 'previewAuthorization').mockResolvedValue({ ...request, workspaces: [] } as never)
  const locked = { workspaceId: 'wsp_1', name: 'Acme', role: 'member', needsTwoFactor: true }
  open([locked])
  await screen.findByText(/^This workspace requires two-factor authentication\./)
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Acme'])
  expect(screen.queryByText(/allow connected apps/)).toBeNull()
  cleanup()
  open([locked, { workspaceId: 'wsp_2', name: 'Beta', role: 'member' }])
  await screen.findByText(/^This workspace requires two-factor authentication\./)
  await screen.findByText(/^Your other workspace doesn't allow connected apps\. Ask an admin/)
})

test('a person without a workspace reads that they need an invitation', async () => {
  vi.spyOn(api, 'previewAuthorization').mockResolvedValue({ ...request, workspaces: [] } as never)
  open()
  await screen.findByText(/^You aren't a member of any workspace\./)
  expect(screen.queryByText(/allow/)).toBeNull()
})
