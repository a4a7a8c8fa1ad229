import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { HandrailProblem } from '../../../client/problem.ts'
import { api } from '../../lib/api.ts'
import { InvitationPage } from './invitation-page.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: { children: ReactNode }) => <a href="/sign-in">{children}</a>,
  useNavigate: () => vi.fn(),
}))
vi.mock('../../lib/use-set-up-status.ts', () => ({
  useSetUpStatus: () => ({ data: { passwordSignIn: true } }),
}))

const invitation = {
  workspaceName: 'Acme',
  invitedBy: 'Olga Owner',
  email: 'ana@shop.example',
  role: 'admin' as const,
  createdAt: '2026-11-02T12:00:00.000Z',
  expiresAt: '2026-11-09T12:00:00.000Z',
  hasExpired: false,
}
const noLongerValid = new HandrailProblem({
  type: '',
  title: '',
  status: 403,
  code: 'forbidden',
  detail: 'This invitation is no longer valid.',
  requestId: '',
})
const fields = () => screen.queryAllByRole('textbox')

/** As if a link to the page was opened in the same tab. */
function open(token: string): void {
  act(() => {
    history.replaceState(null, '', `#${token}`)
    window.dispatchEvent(new Event('hashchange'))
  })
}

function show(token = 'token') {
  open(token)
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <InvitationPage />
    </QueryClientProvider>,
  )
}

afterEach(() => {
  vi.restoreAllMocks()
})

test('the page names inviter, workspace, address, role and expiry before it asks for anything', async () => {
  const preview = vi.spyOn(api, 'previewInvitation').mockResolvedValue(invitation)
  show()
  await screen.findByRole('heading', { name: 'Olga Owner invited you to Acme' })
  screen.getByText('ana@shop.example')
  const terms = screen.getByText(/^You'll join as/).textContent
  expect(terms).toMatch(/^You'll join as an admin\. The invitation expires on .*9/)

  // Withdrawn while the page is open: an explanation replaces the form.
  preview.mockRejectedValue(noLongerValid)
  vi.spyOn(api, 'acceptInvitation').mockRejectedValue(noLongerValid)
  await userEvent.type(screen.getByLabelText('Your name'), 'Ana')
  await userEvent.type(screen.getByLabelText('Password'), 'a password of their own')
  await userEvent.click(screen.getByRole('button', { name: 'Join' }))
  await screen.findByRole('heading', { name: 'This invitation is no longer valid' })
  expect(fields()).toEqual([])
  screen.getByRole('link', { name: 'Sign in' })
})

test('an expired invitation shows whom to ask instead of a form', async () => {
  vi.spyOn(api, 'previewInvitation').mockResolvedValue({ ...invitation, hasExpired: true })
  show()
  await screen.findByRole('heading', { name: 'This invitation has expired' })
  expect(document.body.textContent).toMatch(
    /Olga Owner invited you to Acme on .+ Ask Olga Owner for a new invitation/,
  )
  const buttons = screen.getAllByRole('button').map(({ textContent }) => textContent?.trim())
  expect(buttons).toEqual(['Copy a message to send'])
  expect(fields()).toEqual([])
})

test('names cannot change the reading direction of the page', async () => {
  vi.spyOn(api, 'previewInvitation').mockResolvedValue({ ...invitation, workspaceName: 'Shop \u202e001' })
  show()
  await screen.findByRole('heading', { name: 'Olga Owner invited you to Shop [RLO]001' })
  expect(document.title).toContain('Shop')
  expect(document.title).not.toContain('\u202e')
})

test('an incomplete link is explained, and a complete one can be pasted into the same tab', async () => {
  vi.spyOn(api, 'previewInvitation').mockImplementation(async (token) => {
    if (token === 'invalid') throw noLongerValid
    return invitation
  })
  show('')
  screen.getByRole('heading', { name: 'This link is incomplete' })
  open('invalid')
  await screen.findByRole('heading', { name: 'This invitation is no longer valid' })
  open('complete')
  await screen.findByRole('heading', { name: 'Olga Owner invited you to Acme' })
})
