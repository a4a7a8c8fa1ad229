import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { answerQueueOf } from '../../lib/answer-queue.ts'
import { countUnsent } from '../../lib/answer-store.ts'
import { api } from '../../lib/api.ts'
import { forgetPerson, saveMemories } from '../../lib/person-memory.ts'
import { forgetThisBrowser } from '../../lib/push-subscription.ts'
import { useMe } from '../../lib/workspace.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { countUnsaved, forgetUnsaved } from '../answers/unsaved-drafts.ts'

// Do not block sign-out if the service does not respond.
const sendTimeoutMilliseconds = 5_000

/**
 * Ends the session and shows the sign-in page. Unsent answers and unsaved drafts are deleted from this browser after a
 * warning; the caller must render `warning`.
 */
export function useSignOut(endSession: () => Promise<unknown> = endThisSession): {
  signOut: (to?: string) => Promise<void>
  warning: ReactNode
} {
  const me = useMe().data
  const person = me?.person
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [unsent, setUnsent] = useState<{ answers: number; to: string | undefined }>()

  async function signOut(to?: string) {
    const { answers, drafts } = person ? await sendAndCount(person) : { answers: 0, drafts: 0 }
    if (answers + drafts > 0) setUnsent({ answers, to })
    else await endAndRedirect(to)
  }

  async function endAndRedirect(to: string | undefined) {
    if (me) await forgetBrowser(me.workspaces)
    // First: if ending the session fails, the answers must not be lost.
    await endSession()
    if (person) {
      await answerQueueOf(person).discard()
      forgetPerson(person.userId)
      forgetUnsaved(person.userId)
    }
    queryClient.clear()
    await navigate({ to: '/sign-in', search: { to } })
  }

  const warning = unsent && (
    <ConfirmDialog
      title={titleOf(unsent.answers)}
      description={`Signing out deletes ${unsent.answers === 1 ? 'it' : 'them'} from this browser, including anything you wrote.`}
      confirmLabel="Sign out and delete"
      cancelLabel="Stay signed in"
      onConfirm={() => endAndRedirect(unsent.to)}
      onClose={() => setUnsent(undefined)}
    />
  )
  return { signOut, warning }
}

function titleOf(answers: number): string {
  if (answers === 0) return "Some drafts weren't saved"
  return answers === 1 ? "1 answer wasn't sent" : `${answers} answers weren't sent`
}

/** No more push messages for this person on a device that someone else may use next. */
async function forgetBrowser(workspaces: { workspaceId: string }[]): Promise<void> {
  const forgotten = forgetThisBrowser(workspaces.map(({ workspaceId }) => workspaceId))
  await Promise.race([forgotten.catch(() => undefined), timeout()])
}

const timeout = () => new Promise<void>((resolve) => setTimeout(resolve, sendTimeoutMilliseconds))

const endThisSession = () => api.signOut().catch(() => undefined)

/**
 * Sends and saves what can be sent and saved. Returns how many answers of all tabs are still unsent or were refused, and how many
 * drafts of this tab are not saved.
 */
async function sendAndCount(person: { userId: string; email: string }) {
  const queue = answerQueueOf(person)
  await Promise.race([Promise.all([queue.sendAll(), saveMemories(person.userId)]), timeout()])
  return {
    answers: Math.max(queue.snapshot().pending.length, await countUnsent(person.userId)),
    drafts: countUnsaved(person.userId),
  }
}
