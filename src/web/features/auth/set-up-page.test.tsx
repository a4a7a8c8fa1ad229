import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { SetUpPage } from './set-up-page.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: ({ to, children }: { to: string; children: ReactNode }) => <a href={to}>{children}</a>,
}))

test('a used setup link shows a link to sign in instead of a form', () => {
  const queryClient = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } },
  })
  queryClient.setQueryData(['set-up-status'], { needed: false, passwordSignIn: true })
  history.replaceState(null, '', '#any-token')
  render(
    <QueryClientProvider client={queryClient}>
      <SetUpPage />
    </QueryClientProvider>,
  )
  screen.getByRole('heading', { name: 'Handrail is already set up' })
  screen.getByText(/^The setup link no longer works\./)
  expect(screen.queryAllByRole('textbox')).toEqual([])
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/sign-in')
})
