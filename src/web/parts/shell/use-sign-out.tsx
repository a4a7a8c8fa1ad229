import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { answerQueueOf } from '../../lib/answer-queue.ts'
import { countUnsent } from '../../lib/answer-store.ts'
import { api } from '../../lib/api.ts'
import { pluralize } from '../../lib/count.ts'
import { forgetInMemoryDrafts, saveInMemoryDrafts } from '../../lib/in-memory-drafts.ts'
import { asProblem } from '../../lib/problem.ts'
import { stopPushMessages, unsubscribeBrowser } from '../../lib/push-subscription.ts'
import { useMe } from '../../lib/workspace.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadingDialog } from '../../ui/loading-dialog.tsx'
import { countUnsaved, forgetUnsaved } from '../answers/unsaved-drafts.ts'

// The session must end within `endTimeoutMilliseconds`. The steps before and after it are best effort,
// and each is abandoned after `stepTimeoutMilliseconds`.
const stepTimeoutMilliseconds = 5_000
const endTimeoutMilliseconds = 15_000

type SignOutState =
  | { kind: 'ending' }
  // `drafts`: tasks and messages with unsaved text.
  | { kind: 'unsent'; answers: number; drafts: number; to: string | undefined }
  | { kind: 'failed'; detail: string; to: string | undefined }

/**
 * Ends the session and shows the sign-in page. Unsent answers and unsaved drafts are deleted from
 * this browser after a warning. The caller must render `dialog`, which also shows why the session
 * could not be ended.
 */
export function useSignOut(endSession: () => Promise<unknown> = endThisSession): {
  signOut: (to?: string) => Promise<void>
  dialog: ReactNode
} {
  const me = useMe().data
  const person = me?.person
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [state, setState] = useState<SignOutState>()
  const close = () => setState(undefined)

  async function signOut(to: string | undefined, deletesUnsent = false) {
    setState({ kind: 'ending' })
    try {
      const { answers, drafts } = person && !deletesUnsent ? await sendAndCount(person) : nothingUnsent
      if (answers + drafts > 0) return setState({ kind: 'unsent', answers, drafts, to })
      await endAndRedirect(to)
      close()
    } catch (thrown) {
      setState({ kind: 'failed', detail: asProblem(thrown).detail, to })
    }
  }

  async function endAndRedirect(to: string | undefined) {
    // The session ends first. If that fails, nothing is deleted from this browser.
    await stopPushAndEnd(me?.workspaces ?? [], endSession)
    if (person) {
      await answerQueueOf(person).discard()
      forgetInMemoryDrafts(person.userId)
      forgetUnsaved(person.userId)
    }
    queryClient.clear()
    await navigate({ to: '/sign-in', search: { to } })
  }

  return {
    signOut: (to) => signOut(to),
    dialog: state && <SignOutDialog state={state} onSignOut={signOut} onClose={close} />,
  }
}

const nothingUnsent = { answers: 0, drafts: 0 }

type DialogProps = {
  state: SignOutState
  onSignOut: (to: string | undefined, deletesUnsent: boolean) => Promise<void>
  onClose: () => void
}

function SignOutDialog({ state, onSignOut, onClose }: DialogProps) {
  // This dialog can't be closed, because an answer given meanwhile would be deleted.
  if (state.kind === 'ending') return <LoadingDialog title="Signing out…" />
  const isFailed = state.kind === 'failed'
  return (
    <Dialog
      title={isFailed ? 'Sign-out failed' : `Sign out and delete ${describeUnsent(state)}?`}
      description={
        isFailed
          ? `${state.detail} You may still be signed in.`
          : 'Signing out deletes unsent answers and unsaved drafts from this browser.'
      }
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            {isFailed ? 'Cancel' : 'Stay signed in'}
          </button>
          {/* After a failure, the first step is repeated, which counts unsent answers and drafts again. */}
          <button type="button" className="btn primary" onClick={() => void onSignOut(state.to, !isFailed)}>
            {isFailed ? 'Try again' : 'Sign out and delete'}
          </button>
        </>
      }
    >
      {null}
    </Dialog>
  )
}

function describeUnsent({ answers, drafts }: { answers: number; drafts: number }): string {
  const unsent = answers > 0 ? [pluralize(answers, 'unsent answer')] : []
  return [...unsent, ...(drafts > 0 ? ['unsaved drafts'] : [])].join(' and ')
}

/** Stops push messages to this browser, which someone else may use next, and ends the session. */
async function stopPushAndEnd(workspaces: { workspaceId: string }[], endSession: () => Promise<unknown>) {
  const stopping = stopPushMessages(workspaces.map(({ workspaceId }) => workspaceId))
  await settledOrTimeout(stopping)
  try {
    await Promise.race([endSession(), rejectAfterTimeout()])
  } catch (thrown) {
    await settledOrTimeout(stopping.then((restart) => restart()))
    throw thrown
  }
  await settledOrTimeout(unsubscribeBrowser())
}

/** Resolves when the promise is settled, or after a timeout. */
const settledOrTimeout = (promise: Promise<unknown>) =>
  Promise.race([promise.catch(() => undefined), wait(stepTimeoutMilliseconds)])

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

async function rejectAfterTimeout(): Promise<never> {
  await wait(endTimeoutMilliseconds)
  throw new Error("The service didn't respond.")
}

/** Also succeeds if the session has ended already. */
const endThisSession = () =>
  api.signOut().catch((thrown: unknown) => {
    if (asProblem(thrown).status !== 401) throw thrown
  })

/**
 * Sends answers and saves drafts as far as possible. Returns how many answers of all tabs are still
 * unsent or have failed, and for how many tasks and messages this tab has unsaved text.
 */
async function sendAndCount(person: { userId: string; email: string }) {
  const queue = answerQueueOf(person)
  await Promise.race([
    Promise.all([queue.sendAll(), saveInMemoryDrafts(person.userId)]),
    wait(stepTimeoutMilliseconds),
  ])
  return {
    answers: Math.max(queue.snapshot().pending.length, await countUnsent(person.userId)),
    drafts: countUnsaved(person.userId),
  }
}
