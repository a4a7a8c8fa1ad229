import { Clock, X } from 'lucide-react'
import { useRef } from 'react'
import { announce } from '../../lib/announce.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { isRefused, type PendingAnswer } from '../../lib/pending-answers.ts'
import type { Answer } from '../../lib/send-answer.ts'
import { useNameOf } from '../../lib/use-members.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useFocusHandoff } from '../../ui/use-focus-handoff.ts'
import styles from './unsent-strip.module.css'
import { answerText, explainNotSent } from './unsent-text.ts'
import { useAnswerQueue } from './use-answer-queue.ts'
import { useUndo } from './use-undo.ts'

type Props = { unsent: PendingAnswer[]; onOpen: (answer: Answer) => void }

export default function UnsentLines({ unsent, onOpen }: Props) {
  return (
    <ul id="unsent-answers">
      {unsent.map((item) => (
        <UnsentLine key={item.key} item={item} onOpen={onOpen} />
      ))}
    </ul>
  )
}

function UnsentLine({ item, onOpen }: { item: PendingAnswer; onOpen: (answer: Answer) => void }) {
  const { me } = useWorkspace()
  const nameOf = useNameOf()
  const { queue } = useAnswerQueue()
  const { undoUnsent } = useUndo(() => onOpen(item.answer))
  const { answer, failure } = item
  const isSending = item.stage === 'sending'
  // The lines have the same buttons, so their labels name the task.
  const labelOf = (button: string) => `${button}: ${escapeBidi(answer.taskName)}`
  const line = useRef<HTMLLIElement>(null)
  useFocusHandoff(line)
  return (
    <li className={failure ? styles.failed : ''} ref={line}>
      <Icon of={failure ? X : Clock} />
      <b>
        <bdi>{bidiSafe(answer.taskName)}</bdi>
      </b>
      <span>
        <bdi>{bidiSafe(answer.title)}</bdi>
      </span>
      <span className={styles.state}>
        {failure
          ? bidiSafe(explainNotSent(failure, me.person.email, nameOf))
          : isSending
            ? 'Sending…'
            : 'Waiting to send'}
      </span>
      <span className={styles.actions}>
        {!failure && (
          <button
            type="button"
            className="btn small quiet"
            aria-label={labelOf('Undo')}
            aria-disabled={isSending}
            onClick={() =>
              isSending ? announce("The answer is being sent and can't be undone now.") : undoUnsent(item.key)
            }
          >
            Undo
          </button>
        )}
        {isRefused(item) && (
          <button
            type="button"
            className="btn small quiet"
            aria-label={labelOf('Open')}
            onClick={() => onOpen(answer)}
          >
            Open
          </button>
        )}
        {failure && (
          <>
            {answer.data && (
              <CopyButton
                className="btn small quiet"
                label={labelOf('Copy answer')}
                confirmation="text"
                text={() => answerText(answer)}
              >
                Copy answer
              </CopyButton>
            )}
            <button
              type="button"
              className="btn small quiet"
              aria-label={labelOf('Dismiss')}
              onClick={() => queue.remove(item.key)}
            >
              Dismiss
            </button>
          </>
        )}
      </span>
    </li>
  )
}
