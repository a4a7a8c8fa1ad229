import { useEffect, useRef, useState } from 'react'
import { pluralize } from '../../lib/count.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { type Entry, entriesOf, isUnsent, isUnsettled, type QueueState } from '../../lib/pending-answers.ts'
import { currentPress, isTyping } from '../../lib/presses.ts'
import type { Answer } from '../../lib/send-answer.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'
import panesStyles from '../../ui/panes.module.css'
import { useFocusHandoff } from '../../ui/use-focus-handoff.ts'
import styles from './undo-stack.module.css'
import { useAnswerQueue } from './use-answer-queue.ts'
import { useNotice } from './use-notice.ts'
import { useUndo } from './use-undo.ts'

const maxShown = 3

/**
 * Something else that can be undone, for example a snooze. `at`: when it happened, as Unix time in
 * milliseconds.
 */
export type Undoable = { taskName: string; what: string; at: number; onUndo: () => void }

type Props = {
  other: Undoable | undefined
  /** What was just done and cannot be undone. */
  notice: string | undefined
  onUndone: (answers: Answer[]) => void
}

/** What can still be undone: `other`, and answers, newest last. The shortcut undoes whichever is newest. */
export function UndoStack({ other, notice, onUndone }: Props) {
  const { queue, pending } = useAnswerQueue()
  const { undoEntry } = useUndo(onUndone)
  const [tooLate, setTooLate] = useNotice()
  const held = entriesOf(pending.filter(({ stage }) => stage === 'held'))
  // Answers that are sent again are listed as unsent instead.
  const sending = pending.filter(
    (item) => !isUnsent(item) && (item.stage === 'queued' || item.stage === 'sending'),
  )
  const newest = held.at(-1)
  const isOtherNewest = other !== undefined && (!newest || other.at > newest.dueAt - newest.seconds * 1_000)

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

  // The second click of a double click would reach the entry that takes the place of the first.
  const onFirstClick = (act: () => void) => () => {
    if (!currentPress().isRepeated) act()
  }
  const shown = held.slice(-maxShown)
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
        {other && <OtherEntry other={other} isNewest={isOtherNewest} onUndo={onFirstClick(other.onUndo)} />}
        {shown.length > 0 && (
          <ol className={styles.undo} aria-label="Answers you can undo">
            {held.length > shown.length && (
              <li className={styles.more}>+{held.length - shown.length} more</li>
            )}
            {shown.map((entry) =>
              entry === newest ? (
                <NewestEntry
                  key={entry.entryId}
                  entry={entry}
                  hasShortcut={!isOtherNewest}
                  onUndo={onFirstClick(() => undoEntry(entry.entryId))}
                  onSend={onFirstClick(() => queue.sendNow(entry.entryId))}
                />
              ) : (
                <OlderEntry
                  key={entry.entryId}
                  entry={entry}
                  onUndo={onFirstClick(() => undoEntry(entry.entryId))}
                />
              ),
            )}
          </ol>
        )}
      </div>
    </div>
  )
}

type OtherProps = { other: Undoable; isNewest: boolean; onUndo: () => void }

function OtherEntry({ other: { taskName, what }, isNewest, onUndo }: OtherProps) {
  const item = useRef<HTMLDivElement>(null)
  useFocusHandoff(item)
  return (
    <div className={`${styles.undo} ${styles.other}`} ref={item}>
      <span className={styles.what}>
        <bdi>{bidiSafe(taskName)}</bdi>
      </span>
      <span className={styles.actions}>
        <span>{what}</span>
        <button type="button" onClick={onUndo}>
          Undo {isNewest && <KeyCap>Z</KeyCap>}
        </button>
      </span>
    </div>
  )
}

type NewestProps = { entry: Entry; hasShortcut: boolean; onUndo: () => void; onSend: () => void }

function NewestEntry({ entry, hasShortcut, onUndo, onSend }: NewestProps) {
  const item = useRef<HTMLLIElement>(null)
  useFocusHandoff(item)
  return (
    <li className={styles.newest} ref={item}>
      <span className={styles.what}>
        <bdi>{bidiSafe(taskNameOf(entry))}</bdi>
      </span>
      <span className={styles.actions}>
        <span>
          “<bdi>{bidiSafe(actionTitleOf(entry))}</bdi>” <TimeLeft entry={entry} />
        </span>
        <button type="button" onClick={onUndo}>
          Undo {hasShortcut && <KeyCap>Z</KeyCap>}
        </button>
        <button type="button" onClick={onSend}>
          Send now
        </button>
      </span>
      <RemainingTimeBar entry={entry} />
    </li>
  )
}

function OlderEntry({ entry, onUndo }: { entry: Entry; onUndo: () => void }) {
  const item = useRef<HTMLLIElement>(null)
  useFocusHandoff(item)
  return (
    <li ref={item}>
      <span className={styles.what}>
        <span>
          <bdi>{bidiSafe(actionTitleOf(entry))}</bdi> ·
        </span>{' '}
        <bdi>{bidiSafe(taskNameOf(entry))}</bdi>
      </span>
      <button
        type="button"
        aria-label={`Undo ${escapeBidi(actionTitleOf(entry))}: ${escapeBidi(taskNameOf(entry))}`}
        onClick={onUndo}
      >
        Undo
      </button>
      <RemainingTimeBar entry={entry} />
    </li>
  )
}

function TimeLeft({ entry }: { entry: Entry }) {
  const secondsLeft = () => Math.max(1, Math.ceil((entry.dueAt - Date.now()) / 1_000))
  const [left, setLeft] = useState(secondsLeft)
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsLeft()), 250)
    return () => clearInterval(timer)
  }, [])
  // Hidden: a screen reader would repeat the whole status every second.
  return (
    <span className="num" aria-hidden="true">
      in {left} s
    </span>
  )
}

/** A shrinking line that shows the remaining time. */
function RemainingTimeBar({ entry: { dueAt, seconds } }: { entry: Entry }) {
  const [elapsed] = useState(() => seconds - (dueAt - Date.now()) / 1_000)
  return (
    <span
      className={styles.remainingTime}
      style={{ animationDuration: `${seconds}s`, animationDelay: `${-elapsed}s` }}
      aria-hidden="true"
    />
  )
}

function taskNameOf({ answers }: Entry): string {
  return answers.length === 1 ? (answers[0]?.answer.taskName ?? '') : pluralize(answers.length, 'task')
}

function actionTitleOf({ answers }: Entry): string {
  return answers[0]?.answer.title ?? ''
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
