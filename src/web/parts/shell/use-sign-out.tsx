import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { answerQueueOf } from '../../lib/answer-queue.ts'
import { countUnsent } from '../../lib/answer-store.ts'
import { api } from '../../lib/api.ts'
import { useMe } from '../../lib/workspace.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

// Do not block sign-out if the service does not respond.
const sendTimeoutMilliseconds = 5_000

/**
 * Ends the session and shows the sign-in page. Unsent answers are deleted from this browser after a
 * warning; the caller must render `warning`.
 */
export function useSignOut(endSession: () => Promise<unknown> = endThisSession): {
  signOut: (to?: string) => Promise<void>
  warning: ReactNode
} {
  const person = useMe().data?.person
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [unsent, setUnsent] = useState<{ count: number; to: string | undefined }>()

  async function signOut(to?: string) {
    const count = person ? await sendAndCount(person) : 0
    if (count > 0) setUnsent({ count, to })
    else await endAndRedirect(to)
  }

  async function endAndRedirect(to: string | undefined) {
    // First: if ending the session fails, the answers must not be lost.
    await endSession()
    if (person) await answerQueueOf(person).discard()
    queryClient.clear()
    await navigate({ to: '/sign-in', search: { to } })
  }

  const warning = unsent && (
    <ConfirmDialog
      title={unsent.count === 1 ? "1 answer wasn't sent" : `${unsent.count} answers weren't sent`}
      description={`Signing out deletes ${unsent.count === 1 ? 'it' : 'them'} from this browser, including anything you wrote.`}
      confirmLabel="Sign out and delete"
      cancelLabel="Stay signed in"
      onConfirm={() => endAndRedirect(unsent.to)}
      onClose={() => setUnsent(undefined)}
    />
  )
  return { signOut, warning }
}

const endThisSession = () => api.signOut().catch(() => undefined)

/** Sends what can be sent. Returns how many answers of all tabs are still unsent or were refused. */
async function sendAndCount(person: { userId: string; email: string }): Promise<number> {
  const queue = answerQueueOf(person)
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, sendTimeoutMilliseconds))
  await Promise.race([queue.sendAll(), timeout])
  return Math.max(queue.snapshot().pending.length, await countUnsent(person.userId))
}
