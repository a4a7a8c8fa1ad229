import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { api } from '../../lib/api.ts'
import { SignInPage } from './sign-in-page.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: () => null,
  useNavigate: () => vi.fn(),
  useSearch: () => ({}),
}))

afterEach(() => {
  vi.restoreAllMocks()
})

test.each([
  [true, true, 1],
  [true, false, 1],
  [false, true, 0],
])(
  'the page says whether Handrail must be set up (%s), also without passwords (with them: %s)',
  (needed, passwordSignIn, count) => {
    const queryClient = new QueryClient({
      defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } },
    })
    const status = { needed, passwordSignIn, resetsByMail: true, singleSignOn: 'Okta' }
    queryClient.setQueryData(['set-up-status'], status)
    render(
      <QueryClientProvider client={queryClient}>
        <SignInPage />
      </QueryClientProvider>,
    )
    expect(screen.queryAllByText(/Open the setup link in its log/)).toHaveLength(count)
    expect(screen.queryAllByLabelText('Password')).toHaveLength(passwordSignIn ? 1 : 0)
  },
)

test('if it is unknown how people sign in here, the page offers to try again instead of a password', async () => {
  const status = { needed: false, passwordSignIn: true, resetsByMail: true, singleSignOn: 'Okta' }
  vi.spyOn(api, 'setUpNeeded')
    .mockRejectedValueOnce(new TypeError('Failed to fetch'))
    .mockResolvedValue(status)
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SignInPage />
    </QueryClientProvider>,
  )
  await screen.findByText("The sign-in page couldn't be loaded")
  expect(screen.queryByLabelText('Password')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText(/Okta/)
  await screen.findByLabelText('Password')
})

test.each([
  [42, 'Too many attempts. Try again in 42 seconds.'],
  [120, 'Too many attempts. Try again in 2 minutes.'],
])('after too many attempts, the page says when to try again: in %i seconds', async (seconds, message) => {
  const status = { needed: false, passwordSignIn: true, resetsByMail: true }
  const tooMany = { type: '', title: '', status: 429, detail: '', code: 'rate_limited', requestId: '' }
  const respond = async (url: string) =>
    url.endsWith('/sign-in/email')
      ? Response.json(tooMany, { status: 429, headers: { 'retry-after': String(seconds) } })
      : Response.json(status)
  vi.stubGlobal('fetch', vi.fn(respond))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SignInPage />
    </QueryClientProvider>,
  )
  await userEvent.type(await screen.findByLabelText('Email'), 'mara@example.com')
  await userEvent.type(screen.getByLabelText('Password'), 'right{Enter}')
  expect((await screen.findByText(/^Too many attempts/)).textContent).toBe(message)
})
