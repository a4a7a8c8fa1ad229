import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { SignInPage } from './sign-in-page.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: () => null,
  useNavigate: () => vi.fn(),
  useSearch: () => ({}),
}))

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
  },
)
