import { Clock, WifiOff, X } from 'lucide-react'
import { Suspense, useRef, useState, useSyncExternalStore } from 'react'
import { pluralize } from '../../lib/count.ts'
import { isUnsent, type PendingAnswer } from '../../lib/pending-answers.ts'
import type { Answer } from '../../lib/send-answer.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useFocusHandoff } from '../../ui/use-focus-handoff.ts'
import styles from './unsent-strip.module.css'
import { useAnswerQueue } from './use-answer-queue.ts'

// Loaded lazily, because it is seldom needed.
const UnsentLines = lazyPart(() => import('./unsent-lines.tsx'))

type Props = { onOpen: (answer: Answer) => void }

/**
 * Shown above the list and the task if answers are waiting to be sent or could not be sent. Says how
 * many, and lists them on request or once one could not be sent.
 */
export function UnsentStrip({ onOpen }: Props) {
  const { pending } = useAnswerQueue()
  const unsent = pending.filter(isUnsent)
  return unsent.length > 0 ? <UnsentAnswers unsent={unsent} onOpen={onOpen} /> : null
}

function UnsentAnswers({ unsent, onOpen }: Props & { unsent: PendingAnswer[] }) {
  const { retryStatus } = useAnswerQueue()
  const isRetrying = retryStatus !== undefined
  const [isOpen, setOpen] = useState<boolean>()
  const box = useRef<HTMLElement>(null)
  useFocusHandoff(box)
  const isOnline = useIsOnline()
  const waiting = unsent.filter(({ stage }) => stage !== 'failed')
  const isShown = isOpen ?? waiting.length < unsent.length
  return (
    <section className={styles.unsent} aria-label="Unsent answers" ref={box}>
      <div className="strip">
        <Icon of={waiting.length === 0 ? X : isRetrying ? WifiOff : Clock} />
        {/* Only this sentence is announced, and it does not change during a retry. */}
        <span role="status">
          {waiting.length === 0 ? (
            describeNotSent(unsent.length)
          ) : isRetrying ? (
            <WaitingSentence waiting={waiting} reason={reasonOf(retryStatus, isOnline)} />
          ) : (
            `Sending ${pluralize(waiting.length, 'answer')}…`
          )}
        </span>
        {waiting.length > 0 && <TryNow isSending={waiting.some(({ stage }) => stage === 'sending')} />}
        <button
          type="button"
          className="btn small"
          aria-expanded={isShown}
          aria-controls="unsent-answers"
          onClick={() => setOpen(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      </div>
      {isShown && (
        <Suspense>
          <UnsentLines unsent={unsent} onOpen={onOpen} />
        </Suspense>
      )}
    </section>
  )
}

const describeNotSent = (count: number) =>
  `${pluralize(count, 'answer')} ${count === 1 ? "wasn't" : "weren't"} sent.`

/** Tries to send all waiting answers. The button stays mounted during a retry, to keep the focus. */
function TryNow({ isSending }: { isSending: boolean }) {
  const { queue } = useAnswerQueue()
  const button = useRef<HTMLButtonElement>(null)
  useFocusHandoff(button)
  return (
    <button
      ref={button}
      type="button"
      className={`btn small ${styles.try}`}
      aria-disabled={isSending}
      onClick={() => !isSending && queue.retryNow()}
    >
      {isSending ? 'Sending…' : 'Try now'}
    </button>
  )
}

type Reason = { text: string; sentWhen: string }

/** Why answers are still waiting. A proxy in front of a service that is down responds with 502 to 504. */
function reasonOf(status: number, isOnline: boolean): Reason {
  if (!isOnline) return { text: "You're offline.", sentWhen: "once you're back online" }
  if (status === 0 || (status >= 502 && status <= 504))
    return { text: 'The service is unreachable.', sentWhen: 'once the service is back' }
  return { text: "The service couldn't accept your answers.", sentWhen: 'automatically' }
}

function WaitingSentence({ waiting, reason }: { waiting: PendingAnswer[]; reason: Reason }) {
  const count = waiting.length
  const [pronoun, verb] = count === 1 ? ['It', 'is'] : ['They', 'are']
  return (
    <>
      <b>
        {reason.text} {pluralize(count, 'answer')} {count === 1 ? "hasn't" : "haven't"} been sent yet.
      </b>{' '}
      {waiting.every(({ isStored }) => isStored)
        ? `${pronoun} ${verb} saved in this browser and will be sent ${reason.sentWhen}.`
        : `${pronoun} ${verb} saved only in this tab. Keep it open until ${pronoun.toLowerCase()} ${verb} sent.`}
    </>
  )
}

function useIsOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener('online', listener)
      window.addEventListener('offline', listener)
      return () => {
        window.removeEventListener('online', listener)
        window.removeEventListener('offline', listener)
      }
    },
    () => navigator.onLine,
  )
}
