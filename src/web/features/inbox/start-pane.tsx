import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { Suspense } from 'react'
import type { InboxRow } from '../../../contract/inbox.ts'
import { capOf } from '../../lib/key-caps.ts'
import { usePreference } from '../../lib/preferences.ts'
import { formatAge, formatDuration, isDueSoon } from '../../lib/time.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import taskStyles from '../../parts/task-view/task.module.css'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Icon } from '../../ui/icon.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import panesStyles from '../../ui/panes.module.css'
import { PriorityMark } from '../../ui/priority-mark.tsx'
import type { InboxState } from './inbox-state.ts'
import { hasOwnAnswer, isEnded, isUnloaded, isWaiting } from './listed-rows.ts'
import { mostUrgent, summarizeDue } from './most-urgent.ts'
import { dueTimeOf, formatRowDueTime } from './row-due-time.ts'
import styles from './start-pane.module.css'
import { useInboxToday } from './use-inbox-today.ts'

// Not needed before its figures are loaded.
const TodayFigures = lazyPart(() => import('./today-figures.tsx'))

type Props = {
  state: InboxState
  /** Tasks with an answer that can still be undone. */
  answered: ReadonlySet<string>
  /** Number of open tasks as it is shown. */
  listedCount: string
  onOpen: (taskId: string) => void
}

/** Shown until a task is opened: what is urgent, the figures of today, and how to go on. */
export function StartPane({ state, answered, listedCount, onOpen }: Props) {
  const { today, since, now } = useInboxToday()
  const listed = state.rows.flatMap((row) =>
    isUnloaded(row) || isEnded(row) || isWaiting(row) || hasOwnAnswer(row) ? [] : [row],
  )
  // `today` counts the whole inbox, so in the list For me the heading and the age of the oldest task leave
  // its figures out.
  const isWholeInbox = state.query.order === 'thread'
  const due = (today?.due.rows ?? []).filter(
    (row) =>
      !state.endedIds.has(row.taskId) &&
      !answered.has(row.taskId) &&
      !row.review?.answered &&
      state.query.matches(row),
  )
  const urgent = mostUrgent(due, listed)
  const [first] = urgent
  return (
    <main className={`${taskStyles.task} ${panesStyles.none} ${styles.pane}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take focus */}
      <section className={taskStyles.scroll} tabIndex={0} aria-label="Overview">
        <div className={`${taskStyles.withGuideLine} ${styles.start}`}>
          <div className={`${taskStyles.sectionDot} ${taskStyles.first}`}>
            <h1>{summarizeDue(isWholeInbox ? today?.due : undefined, listedCount)}</h1>
            {isWholeInbox && today?.oldestOpenAt && (
              <p className={styles.lead}>
                The oldest has been waiting for {formatDuration(now - Date.parse(today.oldestOpenAt))}.
              </p>
            )}
            {first && (
              <button type="button" className="btn primary above-12" onClick={() => onOpen(first.taskId)}>
                {due.includes(first) ? 'Start with the one due first' : 'Start with the first task'}
                {first.taskId === state.rows[0]?.taskId && <KeyCap>{capOf('j')}</KeyCap>}
              </button>
            )}
          </div>
          {first && (
            <section className={taskStyles.sectionDot}>
              <h2>Most urgent</h2>
              <ul className={styles.urgent}>
                {urgent.map((row) => (
                  <UrgentTask key={row.taskId} row={row} now={now} />
                ))}
              </ul>
            </section>
          )}
          {today && (
            <section className={taskStyles.sectionDot}>
              <h2>Today</h2>
              <Suspense>
                <TodayFigures today={today} since={since} now={now} />
              </Suspense>
            </section>
          )}
          <section className={taskStyles.sectionDot}>
            <h2>Three shortcuts</h2>
            <Shortcuts />
          </section>
        </div>
      </section>
    </main>
  )
}

function UrgentTask({ row, now }: { row: InboxRow; now: number }) {
  const { workspaceId } = useWorkspace()
  const { taskId } = row
  const dueTime = dueTimeOf(row)
  const tone = !dueTime
    ? undefined
    : Date.parse(dueTime.at) <= now
      ? styles.late
      : isDueSoon(dueTime.at, now)
        ? styles.soon
        : undefined
  return (
    <li>
      <Link to="/w/$workspaceId/inbox/$taskId" params={{ workspaceId, taskId }} search={true}>
        <PriorityMark priority={row.priority} hasLabel />
        <b dir="auto">{bidiSafe(row.name)}</b>
        <span className={styles.app}>
          <bdi>{bidiSafe(row.app)}</bdi>
        </span>
        <time className={tone} dateTime={dueTime?.at ?? row.createdAt}>
          {dueTime ? formatRowDueTime(dueTime, now) : formatAge(row.createdAt, now)}
        </time>
        <Icon of={ChevronRight} />
      </Link>
    </li>
  )
}

function Shortcuts() {
  const hasSingleKeys = usePreference('singleKeys') === 'on'
  // If answers can't be undone, Alt and a digit chooses the action without sending it.
  const hasUndo = Number(usePreference('undoSeconds')) > 0
  return (
    <dl className={styles.shortcuts}>
      <div>
        <dt>
          <kbd>{capOf(hasSingleKeys ? 'j' : 'ArrowDown')}</kbd>{' '}
          <kbd>{capOf(hasSingleKeys ? 'k' : 'ArrowUp')}</kbd> Next, previous
        </dt>
        <dd>Step through the list.</dd>
      </div>
      <div>
        <dt>
          <kbd>{capOf('Alt+Digit1')}</kbd> {hasUndo ? 'Choose an action and send it' : 'Choose an action'}
        </dt>
        <dd>
          If it has a form, fill it in{hasUndo ? ', and' : '.'} <kbd>{capOf('$mod+Enter')}</kbd> sends it.
          {hasUndo && (
            <>
              {' '}
              <kbd>{capOf(hasSingleKeys ? 'z' : '$mod+z')}</kbd> undoes it.
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>
          <kbd>{capOf('$mod+k')}</kbd> Everything else
        </dt>
        <dd>
          Actions, settings, filters.
          {hasSingleKeys && (
            <>
              {' '}
              <kbd>?</kbd> lists all keys.
            </>
          )}
        </dd>
      </div>
    </dl>
  )
}
