import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { answersOf } from '../../lib/answer-queue.ts'
import { countUnsent } from '../../lib/answer-store.ts'
import { api } from '../../lib/api.ts'
import { useMe } from '../../lib/person.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

// A service that does not answer must not keep anybody signed in.
const patienceMilliseconds = 5_000

/**
 * Ends the session and shows the sign-in page. Answers that were not sent are deleted from this browser, after a warning:
 * `warning` is to be rendered.
 */
export function useSignOut(end: () => Promise<unknown> = endThisSession): {
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
    else await leave(to)
  }

  async function leave(to: string | undefined) {
    // First: while the session goes on, nothing may be lost.
    await end()
    if (person) await answersOf(person).discard()
    queryClient.clear()
    await navigate({ to: '/sign-in', search: { to } })
  }

  const warning = unsent && (
    <ConfirmDialog
      title={unsent.count === 1 ? '1 answer was not sent' : `${unsent.count} answers were not sent`}
      about={`Signing out deletes ${unsent.count === 1 ? 'it' : 'them'} from this browser, with what you wrote.`}
      confirm="Sign out and delete"
      keep="Stay signed in"
      onConfirm={() => leave(unsent.to)}
      onClose={() => setUnsent(undefined)}
    />
  )
  return { signOut, warning }
}

const endThisSession = () => api.signOut().catch(() => undefined)

/** What can be sent is sent. Returns how many are left or were refused, in all tabs. */
async function sendAndCount(person: { userId: string; email: string }): Promise<number> {
  const queue = answersOf(person)
  const isOver = new Promise<void>((resolve) => setTimeout(resolve, patienceMilliseconds))
  await Promise.race([queue.settleAll(), isOver])
  return Math.max(queue.snapshot().pending.length, await countUnsent(person.userId))
}
