import { Clock, WifiOff, X } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import type { PendingAnswer } from '../../lib/pending-answers.ts'
import { useHere } from '../../lib/person.ts'
import type { Answer } from '../../lib/send-answer.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { visible } from '../../ui/visible-text.tsx'
import { notSent, textOf } from './unsent-words.ts'
import { useQueue } from './use-answers.ts'
import { useTakeBack } from './use-take-back.ts'

type Props = { onOpen: (answer: Answer) => void }

/** Over list and task: what could not be sent, where it is kept, and what will not be sent at all. */
export function UnsentStrip({ onOpen }: Props) {
  const { queue, pending } = useQueue()
  const [isOpen, setOpen] = useState<boolean>()
  const isOnline = useIsOnline()
  const unsent = pending.filter(({ stage }) => stage === 'waiting' || stage === 'failed')
  if (unsent.length === 0) return null
  const waiting = unsent.filter(({ stage }) => stage === 'waiting')
  const isShown = isOpen ?? waiting.length < unsent.length
  return (
    <section className="unsent" aria-label="Unsent answers">
      <div className="strip" role="status">
        <Icon of={waiting.length > 0 ? WifiOff : X} />
        <Sentence waiting={waiting} unsent={unsent} isOnline={isOnline} />
        {waiting.length > 0 && (
          <button type="button" className="btn small" onClick={() => queue.tryNow()}>
            Try now
          </button>
        )}
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
        <ul id="unsent-answers">
          {unsent.map((one) => (
            <UnsentLine key={one.key} one={one} onOpen={onOpen} />
          ))}
        </ul>
      )}
    </section>
  )
}

type SentenceProps = { waiting: PendingAnswer[]; unsent: PendingAnswer[]; isOnline: boolean }

function Sentence({ waiting, unsent, isOnline }: SentenceProps) {
  const count = waiting.length
  if (count === 0) {
    return (
      <span>
        {unsent.length === 1 ? '1 answer was not sent.' : `${unsent.length} answers were not sent.`}
      </span>
    )
  }
  const [they, are] = count === 1 ? ['It', 'is'] : ['They', 'are']
  const reason = isOnline ? 'The service cannot be reached.' : 'You’re offline.'
  return (
    <span>
      <b>
        {reason} {count === 1 ? '1 answer is' : `${count} answers are`} not sent yet.
      </b>{' '}
      {waiting.every(({ isKept }) => isKept)
        ? `${they} ${are} saved in this browser and sent when ${isOnline ? 'it is back' : 'you’re back online'}.`
        : `${they} ${are} kept only in this tab. Leave it open until ${they.toLowerCase()} ${are} sent.`}
    </span>
  )
}

function UnsentLine({ one, onOpen }: { one: PendingAnswer; onOpen: (answer: Answer) => void }) {
  const { me } = useHere()
  const { queue } = useQueue()
  const { giveUp } = useTakeBack(() => onOpen(one.answer))
  const { answer, failure } = one
  return (
    <li className={failure ? 'lost' : ''}>
      <Icon of={failure ? X : Clock} />
      <b>
        <bdi>{visible(answer.taskName)}</bdi>
      </b>
      <span>
        <bdi>{visible(answer.title)}</bdi>
      </span>
      <span className="state">
        {failure ? visible(notSent(failure, me.person.email)) : 'Waiting to send'}
      </span>
      <span className="do">
        {!failure && (
          <button type="button" className="btn small quiet" onClick={() => giveUp(one.key)}>
            Undo
          </button>
        )}
        {failure && !failure.isLost && (
          <button type="button" className="btn small quiet" onClick={() => onOpen(answer)}>
            Open
          </button>
        )}
        {failure && (
          <>
            {answer.data && (
              <CopyButton className="btn small quiet" icon={null} text={() => textOf(answer)}>
                Copy your answer
              </CopyButton>
            )}
            <button type="button" className="btn small quiet" onClick={() => queue.giveUp(one.key)}>
              Dismiss
            </button>
          </>
        )}
      </span>
    </li>
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
