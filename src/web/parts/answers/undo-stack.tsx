import { Suspense } from 'react'
import { pluralize } from '../../lib/count.ts'
import { entriesOf, isUnsent, isUnsettled, type QueueState } from '../../lib/pending-answers.ts'
import { isTyping } from '../../lib/presses.ts'
import type { Answer } from '../../lib/send-answer.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import panesStyles from '../../ui/panes.module.css'
import type { Undoable } from './undo-entries.tsx'
import styles from './undo-stack.module.css'
import { useAnswerQueue } from './use-answer-queue.ts'
import { useNotice } from './use-notice.ts'
import { useUndo } from './use-undo.ts'

// Loaded lazily, to keep the first script small. The shortcut works without it.
const UndoEntries = lazyPart(() => import('./undo-entries.tsx'))

type Props = {
  other: Undoable | undefined
  /** What was just done and cannot be undone. */
  notice: string | undefined
  onUndone: (answers: Answer[]) => void
}

/**
 * Notices, answers that are being sent, and what can still be undone: first `other`, then answers,
 * oldest first. The shortcut undoes the newest of these.
 */
export function UndoStack({ other, notice, onUndone }: Props) {
  const { queue, pending } = useAnswerQueue()
  const { undoEntry } = useUndo(onUndone)
  const [tooLate, setTooLate] = useNotice()
  const held = entriesOf(pending.filter(({ stage }) => stage === 'held'))
  // Answers that are being retried are listed as unsent instead.
  const sending = pending.filter(
    (item) => !isUnsent(item) && (item.stage === 'queued' || item.stage === 'sending'),
  )
  const newest = held.at(-1)
  const isOtherNewest = other !== undefined && (!newest || other.at > newest.givenAt)

  function undo() {
    if (isOtherNewest) other.onUndo()
    else if (newest) undoEntry(newest.entryId)
    else setTooLate(describeTooLate(queue.snapshot()))
  }

  useShortcuts({
    z: undo,
    '$mod+z': (event) => {
      // In a text field this is the browser's undo.
      if (isTyping(event.target)) return
      event.preventDefault()
      undo()
    },
  })

  return (
    <div className={`${styles.toasts} ${panesStyles.toasts}`}>
      {/* Always rendered: screen readers announce changes only in an existing status region. */}
      <div role="status">
        {notice && <p className={styles.toast}>{bidiSafe(notice)}</p>}
        {tooLate && <p className={styles.toast}>{bidiSafe(tooLate)}</p>}
        {sending.length > 0 && (
          <p className={`${styles.toast} ${styles.delayed}`}>
            Sending{' '}
            {sending.length === 1 ? (
              <>
                “<bdi>{bidiSafe(sending[0]?.answer.title ?? '')}</bdi>”
              </>
            ) : (
              pluralize(sending.length, 'answer')
            )}
          </p>
        )}
        {(other || held.length > 0) && (
          <Suspense>
            <UndoEntries
              other={other}
              held={held}
              isOtherNewest={isOtherNewest}
              onUndo={undoEntry}
              onSend={(entryId) => queue.sendNow(entryId)}
            />
          </Suspense>
        )}
      </div>
    </div>
  )
}

function describeTooLate({ lastDue, pending }: QueueState): string {
  if (!lastDue) return 'Nothing to undo.'
  const { title, taskName, count, entryId } = lastDue
  const describe = (name: string, tasks: number) =>
    `“${title}” for ${tasks === 1 ? `“${name}”` : pluralize(tasks, 'task')}`
  const unsent = pending.filter((item) => item.entryId === entryId && isUnsent(item))
  const waiting = unsent.filter(isUnsettled)
  const listed = waiting.length > 0 ? waiting : unsent
  const [first] = listed
  if (!first) return `${describe(taskName, count)} can no longer be undone.`
  const state = waiting.length > 0 ? 'is waiting to be sent. You can undo it in' : "wasn't sent. See"
  return `${describe(first.answer.taskName, listed.length)} ${state} the list of unsent answers.`
}
