import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { countUnsent } from '../../lib/answer-store.ts'
import * as push from '../../lib/push-subscription.ts'
import { countUnsaved, writeStored } from '../answers/unsaved-drafts.ts'
import { useSignOut } from './use-sign-out.tsx'

const navigate = vi.hoisted(() => vi.fn())
vi.mock('@tanstack/react-router', () => ({ useNavigate: () => navigate }))
vi.mock('../../lib/workspace.ts', () => ({
  useMe: () => ({
    data: {
      person: { userId: 'mara', email: 'mara@shop.example' },
      workspaces: [{ workspaceId: 'acme' }],
    },
  }),
}))
vi.mock('../../lib/push-subscription.ts')
vi.mock('../../lib/answer-store.ts', { spy: true })

// Loaded lazily, which takes seconds on a busy machine.
beforeAll(() => import('../../ui/dialog-window.tsx'))
const restart = vi.fn(async () => undefined)
beforeEach(() => {
  vi.clearAllMocks()
  vi.mocked(push.stopPushMessages).mockResolvedValue(restart)
  vi.mocked(push.unsubscribeBrowser).mockResolvedValue(undefined)
  vi.mocked(countUnsent).mockResolvedValue(0)
})

function SignOut({ endSession }: { endSession: () => Promise<unknown> }) {
  const { signOut, dialog } = useSignOut(endSession)
  return (
    <>
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
      {dialog}
    </>
  )
}

async function clickSignOut(endSession: () => Promise<unknown>) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SignOut endSession={endSession} />
    </QueryClientProvider>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Sign out' }))
}

test('the dialog stays until the person is signed out, so that no answer is given meanwhile', async () => {
  let finish: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    finish = resolve
  })
  const endSession = vi.fn(() => ended)
  await clickSignOut(endSession)
  await vi.waitFor(() => expect(endSession).toHaveBeenCalledOnce())
  await userEvent.keyboard('{Escape}')
  await userEvent.click(document.querySelector('.overlay')!)
  screen.getByRole('dialog', { name: 'Signing out…' })
  expect(push.unsubscribeBrowser).not.toHaveBeenCalled()
  finish()
  await vi.waitFor(() => expect(navigate).toHaveBeenCalledOnce())
  expect(push.unsubscribeBrowser).toHaveBeenCalledOnce()
  expect(restart).not.toHaveBeenCalled()
})

test('after a failure, push messages are on again, and Try again counts the unsent answers again', async () => {
  const endSession = vi.fn(() => Promise.reject(new Error('The service could not be reached.')))
  await clickSignOut(endSession)
  await screen.findByRole('dialog', { name: 'Sign-out failed' })
  expect(restart).toHaveBeenCalledOnce()
  expect(push.unsubscribeBrowser).not.toHaveBeenCalled()
  vi.mocked(countUnsent).mockResolvedValue(2)
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('dialog', { name: 'Sign out and delete 2 unsent answers?' })
  expect(endSession).toHaveBeenCalledOnce()
  await userEvent.click(screen.getByRole('button', { name: 'Sign out and delete' }))
  await screen.findByRole('dialog', { name: 'Sign-out failed' })
  expect(endSession).toHaveBeenCalledTimes(2)
})

test.each([
  [1, 0, '1 unsent answer'],
  [0, 1, 'unsaved drafts'],
  [2, 1, '2 unsent answers and unsaved drafts'],
])(
  'with %i unsent answers and %i unsaved drafts, the warning names what is deleted, and nothing is if the person stays',
  async (answers, drafts, what) => {
    vi.mocked(countUnsent).mockResolvedValue(answers)
    if (drafts > 0) writeStored('mara', 'tsk_1', [{}])
    const endSession = vi.fn(() => Promise.resolve())
    await clickSignOut(endSession)
    await screen.findByRole('dialog', { name: `Sign out and delete ${what}?` })
    await userEvent.click(screen.getByRole('button', { name: 'Stay signed in' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(endSession).not.toHaveBeenCalled()
    expect(countUnsaved('mara')).toBe(drafts)

    await userEvent.click(screen.getByRole('button', { name: 'Sign out' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out and delete' }))
    await vi.waitFor(() => expect(navigate).toHaveBeenCalledOnce())
    expect(endSession).toHaveBeenCalledOnce()
    expect(countUnsaved('mara')).toBe(0)
  },
)
