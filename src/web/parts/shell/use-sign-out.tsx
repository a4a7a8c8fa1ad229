import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { answerQueueOf } from '../../lib/answer-queue.ts'
import { countUnsent } from '../../lib/answer-store.ts'
import { api } from '../../lib/api.ts'
import { forgetPerson, saveMemories } from '../../lib/person-memory.ts'
import { asProblem } from '../../lib/problem.ts'
import { forgetThisBrowser } from '../../lib/push-subscription.ts'
import { useMe } from '../../lib/workspace.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { LoadingDialog } from '../../ui/loading-dialog.tsx'
import { countUnsaved, forgetUnsaved } from '../answers/unsaved-drafts.ts'

// Do not block sign-out if the service does not respond.
const sendTimeoutMilliseconds = 5_000

type Step =
  | { kind: 'ending' }
  | { kind: 'unsent'; answers: number; to: string | undefined }
  | { kind: 'failed'; detail: string; to: string | undefined }

/**
 * Ends the session and shows the sign-in page. Unsent answers and unsaved drafts are deleted from this browser after a
 * warning. The caller must render `dialog`, which also says if the session could not be ended.
 */
export function useSignOut(endSession: () => Promise<unknown> = endThisSession): {
  signOut: (to?: string) => Promise<void>
  dialog: ReactNode
} {
  const me = useMe().data
  const person = me?.person
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [step, setStep] = useState<Step>()
  const close = () => setStep(undefined)

  async function signOut(to?: string) {
    setStep({ kind: 'ending' })
    try {
      const { answers, drafts } = person ? await sendAndCount(person) : { answers: 0, drafts: 0 }
      if (answers + drafts > 0) return setStep({ kind: 'unsent', answers, to })
      await endAndRedirect(to)
      close()
    } catch (thrown) {
      setStep({ kind: 'failed', detail: asProblem(thrown).detail, to })
    }
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

  return { signOut, dialog: step && <SignOutDialog step={step} onEnd={endAndRedirect} onClose={close} /> }
}

type DialogProps = { step: Step; onEnd: (to: string | undefined) => Promise<void>; onClose: () => void }

function SignOutDialog({ step, onEnd, onClose }: DialogProps) {
  if (step.kind === 'ending') return <LoadingDialog title="Signing out…" onClose={onClose} />
  const common = { cancelLabel: 'Stay signed in', onConfirm: () => onEnd(step.to), onClose }
  if (step.kind === 'failed') {
    return (
      <ConfirmDialog
        {...common}
        title="You're still signed in"
        description={`Signing out failed. ${step.detail}`}
        confirmLabel="Try again"
      />
    )
  }
  return (
    <ConfirmDialog
      {...common}
      title={titleOf(step.answers)}
      description={`Signing out deletes ${step.answers === 1 ? 'it' : 'them'} from this browser, including anything you wrote.`}
      confirmLabel="Sign out and delete"
    />
  )
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

/** Also succeeds if the session has ended already. */
const endThisSession = () =>
  api.signOut().catch((thrown: unknown) => {
    if (asProblem(thrown).status !== 401) throw thrown
  })

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
