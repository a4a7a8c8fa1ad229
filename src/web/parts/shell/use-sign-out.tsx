import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { answerQueueOf } from '../../lib/answer-queue.ts'
import { countUnsent } from '../../lib/answer-store.ts'
import { api } from '../../lib/api.ts'
import { forgetPerson, saveMemories } from '../../lib/person-memory.ts'
import { asProblem } from '../../lib/problem.ts'
import { stopPushMessages, unsubscribeBrowser } from '../../lib/push-subscription.ts'
import { useMe } from '../../lib/workspace.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadingDialog } from '../../ui/loading-dialog.tsx'
import { countUnsaved, forgetUnsaved } from '../answers/unsaved-drafts.ts'

// Do not block sign-out if the service does not respond.
const sendTimeoutMilliseconds = 5_000
const endTimeoutMilliseconds = 15_000

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

  async function signOut(to: string | undefined, deletesUnsent = false) {
    setStep({ kind: 'ending' })
    try {
      const { answers, drafts } = person && !deletesUnsent ? await sendAndCount(person) : nothingUnsent
      if (answers + drafts > 0) return setStep({ kind: 'unsent', answers, to })
      await endAndRedirect(to)
      close()
    } catch (thrown) {
      setStep({ kind: 'failed', detail: asProblem(thrown).detail, to })
    }
  }

  async function endAndRedirect(to: string | undefined) {
    // First: if ending the session fails, neither answers nor push messages must be lost.
    await endWithPush(me?.workspaces ?? [], endSession)
    if (person) {
      await answerQueueOf(person).discard()
      forgetPerson(person.userId)
      forgetUnsaved(person.userId)
    }
    queryClient.clear()
    await navigate({ to: '/sign-in', search: { to } })
  }

  return {
    signOut: (to) => signOut(to),
    dialog: step && <SignOutDialog step={step} onSignOut={signOut} onClose={close} />,
  }
}

const nothingUnsent = { answers: 0, drafts: 0 }

type DialogProps = {
  step: Step
  onSignOut: (to: string | undefined, deletesUnsent: boolean) => Promise<void>
  onClose: () => void
}

function SignOutDialog({ step, onSignOut, onClose }: DialogProps) {
  // It can't be closed: an answer given meanwhile would be deleted.
  if (step.kind === 'ending') return <LoadingDialog title="Signing out…" />
  const isFailed = step.kind === 'failed'
  return (
    <Dialog
      title={isFailed ? "You're still signed in" : titleOf(step.answers)}
      description={
        isFailed
          ? `Signing out failed. ${step.detail}`
          : `Signing out deletes ${step.answers === 1 ? 'it' : 'them'} from this browser, including anything you wrote.`
      }
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            Stay signed in
          </button>
          {/* After a failure, what is unsent is counted again. */}
          <button type="button" className="btn primary" onClick={() => void onSignOut(step.to, !isFailed)}>
            {isFailed ? 'Try again' : 'Sign out and delete'}
          </button>
        </>
      }
    >
      {null}
    </Dialog>
  )
}

function titleOf(answers: number): string {
  if (answers === 0) return "Some drafts weren't saved"
  return answers === 1 ? "1 answer wasn't sent" : `${answers} answers weren't sent`
}

/** Ends the session, and push messages for this person on a device that someone else may use next. */
async function endWithPush(workspaces: { workspaceId: string }[], endSession: () => Promise<unknown>) {
  const stopping = stopPushMessages(workspaces.map(({ workspaceId }) => workspaceId))
  await settledOrLate(stopping)
  try {
    await Promise.race([endSession(), rejectLate()])
  } catch (thrown) {
    await settledOrLate(stopping.then((restart) => restart()))
    throw thrown
  }
  await settledOrLate(unsubscribeBrowser())
}

const settledOrLate = (promise: Promise<unknown>) =>
  Promise.race([promise.catch(() => undefined), wait(sendTimeoutMilliseconds)])

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

async function rejectLate(): Promise<never> {
  await wait(endTimeoutMilliseconds)
  throw new Error('The service did not respond.')
}

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
  await Promise.race([
    Promise.all([queue.sendAll(), saveMemories(person.userId)]),
    wait(sendTimeoutMilliseconds),
  ])
  return {
    answers: Math.max(queue.snapshot().pending.length, await countUnsent(person.userId)),
    drafts: countUnsaved(person.userId),
  }
}
