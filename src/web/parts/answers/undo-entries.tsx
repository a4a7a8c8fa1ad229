import { useEffect, useRef, useState } from 'react'
import { pluralize } from '../../lib/count.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import type { AnswerEntry } from '../../lib/pending-answers.ts'
import { currentPress } from '../../lib/presses.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'
import { useFocusHandoff } from '../../ui/use-focus-handoff.ts'
import styles from './undo-stack.module.css'

const maxShown = 3

/**
 * An action other than an answer that can be undone, for example a snooze. `description`: what was
 * done. `at`: when it was done, as Unix time in milliseconds.
 */
export type Undoable = { taskName: string; description: string; at: number; onUndo: () => void }

type Props = {
  other: Undoable | undefined
  /** Answers that can be undone, oldest first. */
  held: AnswerEntry[]
  isOtherNewest: boolean
  onUndo: (entryId: string) => void
  onSend: (entryId: string) => void
}

export default function UndoEntries({ other, held, isOtherNewest, onUndo, onSend }: Props) {
  const newest = held.at(-1)
  const shown = held.slice(-maxShown)
  return (
    <>
      {other && <OtherEntry other={other} isNewest={isOtherNewest} onUndo={onFirstClick(other.onUndo)} />}
      {shown.length > 0 && (
        <ol className={styles.undo} aria-label="Answers you can undo">
          {held.length > shown.length && <li className={styles.more}>+{held.length - shown.length} more</li>}
          {shown.map((entry) =>
            entry === newest ? (
              <NewestEntry
                key={entry.entryId}
                entry={entry}
                hasShortcut={!isOtherNewest}
                onUndo={onFirstClick(() => onUndo(entry.entryId))}
                onSend={onFirstClick(() => onSend(entry.entryId))}
              />
            ) : (
              <OlderEntry
                key={entry.entryId}
                entry={entry}
                onUndo={onFirstClick(() => onUndo(entry.entryId))}
              />
            ),
          )}
        </ol>
      )}
    </>
  )
}

// The second click of a double click would reach the entry that has moved under the pointer.
const onFirstClick = (act: () => void) => () => {
  if (!currentPress().isRepeated) act()
}

type OtherProps = { other: Undoable; isNewest: boolean; onUndo: () => void }

function OtherEntry({ other: { taskName, description }, isNewest, onUndo }: OtherProps) {
  const item = useRef<HTMLDivElement>(null)
  useFocusHandoff(item)
  return (
    <div className={`${styles.undo} ${styles.other}`} ref={item}>
      <span className={styles.subject}>
        <bdi>{bidiSafe(taskName)}</bdi>
      </span>
      <span className={styles.actions}>
        <span>{description}</span>
        <button type="button" onClick={onUndo}>
          Undo {isNewest && <KeyCap>Z</KeyCap>}
        </button>
      </span>
    </div>
  )
}

type NewestProps = { entry: AnswerEntry; hasShortcut: boolean; onUndo: () => void; onSend: () => void }

function NewestEntry({ entry, hasShortcut, onUndo, onSend }: NewestProps) {
  const item = useRef<HTMLLIElement>(null)
  useFocusHandoff(item)
  return (
    <li className={styles.newest} ref={item}>
      <span className={styles.subject}>
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

function OlderEntry({ entry, onUndo }: { entry: AnswerEntry; onUndo: () => void }) {
  const item = useRef<HTMLLIElement>(null)
  useFocusHandoff(item)
  return (
    <li ref={item}>
      <span className={styles.subject}>
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

function TimeLeft({ entry }: { entry: AnswerEntry }) {
  const secondsLeft = () => Math.max(1, Math.ceil((entry.dueAt - Date.now()) / 1_000))
  const [left, setLeft] = useState(secondsLeft)
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsLeft()), 250)
    return () => clearInterval(timer)
  }, [])
  // Hidden from screen readers, which would repeat the whole status every second.
  return (
    <span className="num" aria-hidden="true">
      in {left} s
    </span>
  )
}

/** A shrinking line that shows the remaining time. */
function RemainingTimeBar({ entry: { givenAt, dueAt } }: { entry: AnswerEntry }) {
  const [elapsed] = useState(() => Date.now() - givenAt)
  return (
    <span
      className={styles.remainingTime}
      style={{ animationDuration: `${dueAt - givenAt}ms`, animationDelay: `${-elapsed}ms` }}
      aria-hidden="true"
    />
  )
}

function taskNameOf({ answers }: AnswerEntry): string {
  return answers.length === 1 ? (answers[0]?.answer.taskName ?? '') : pluralize(answers.length, 'task')
}

function actionTitleOf({ answers }: AnswerEntry): string {
  return answers[0]?.answer.title ?? ''
}
