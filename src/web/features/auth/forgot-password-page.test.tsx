import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { ForgotPasswordPage } from './forgot-password-page.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: { children: ReactNode }) => <a href="/sign-in">{children}</a>,
  Navigate: ({ to }: { to: string }) => <p>Redirected to {to}</p>,
}))

function show(status: object) {
  const queryClient = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } },
  })
  queryClient.setQueryData(['set-up-status'], status)
  render(
    <QueryClientProvider client={queryClient}>
      <ForgotPasswordPage />
    </QueryClientProvider>,
  )
}

test('where nobody signs in with a password, no link for a new one is promised', () => {
  show({ passwordSignIn: false, resetsByMail: true })
  screen.getByText('Redirected to /sign-in')
})

test.each([
  [true, "We'll email you a link to choose a new one.", 1],
  [false, /^This service can't send email\. Ask its operator/, 0],
])('the page says how to get a new password (by email: %s)', (resetsByMail, text, fields) => {
  show({ passwordSignIn: true, resetsByMail })
  screen.getByText(text)
  expect(screen.queryAllByRole('textbox')).toHaveLength(fields)
  screen.getByText('Back to sign-in')
})
