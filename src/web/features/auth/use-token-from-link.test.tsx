import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { HandrailProblem } from '../../../client/problem.ts'
import { api } from '../../lib/api.ts'
import { SignInLinkPage } from './sign-in-link-page.tsx'

vi.mock('./use-continue.ts', () => ({ useContinue: () => async () => undefined }))

/** As if a link to the same page was pasted into its tab. */
function paste(token: string): void {
  act(() => {
    history.replaceState(null, '', `#${token}`)
    window.dispatchEvent(new Event('hashchange'))
  })
}

test('a link that is pasted into the tab of another one replaces its token and its error', async () => {
  const detail = 'This link was used or has expired.'
  const used = new HandrailProblem({
    type: '',
    title: '',
    status: 403,
    code: 'forbidden',
    detail,
    requestId: '',
  })
  const signIn = vi.spyOn(api, 'useSignInLink').mockRejectedValueOnce(used).mockResolvedValue(undefined)
  paste('')
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SignInLinkPage />
    </QueryClientProvider>,
  )
  screen.getByRole('heading', { name: 'This link is incomplete' })
  paste('old')
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  await screen.findByText(/This link was used/)
  paste('new')
  expect(screen.queryByText(/This link was used/)).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(signIn.mock.calls).toEqual([['old'], ['new']])
})
