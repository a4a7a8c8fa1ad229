import { Check, CircleSlash, Clock, X } from 'lucide-react'
import { memo } from 'react'
import { reservedActions } from '../../../contract/reserved-actions.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import type { MemberTaskPage } from '../../../contract/task-list.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { formatFullDate, formatTime } from '../../lib/time.ts'
import { viaText } from '../../lib/via-text.ts'
import rowsStyles from '../../parts/task-list/rows.module.css'
import { TaskName } from '../../parts/task-view/task-name.tsx'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Icon } from '../../ui/icon.tsx'

export type ListedTask = MemberTaskPage['tasks'][number]

type Props = {
  task: ListedTask
  isDisplayed: boolean
  /** Display name of the person who answered. */
  by: string | undefined
  /**
   * A time on the day under which the task is listed, as Unix time in milliseconds. The row does
   * not repeat that day.
   */
  dayTimestamp: number
  position: number
  /** Number of tasks in the whole list; -1 if unknown. */
  setSize: number
  onOpen: (taskId: string) => void
}

export const HandledRow = memo(function HandledRow({
  task,
  isDisplayed,
  by,
  dayTimestamp,
  position,
  setSize,
  onOpen,
}: Props) {
  const { handled, cancelled } = task
  const at = endedAt(task)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys; its rows are never focused
    <div
      className={rowsStyles.row}
      role="option"
      tabIndex={-1}
      id={`row-${task.taskId}`}
      aria-selected={isDisplayed}
      aria-setsize={setSize}
      aria-posinset={position}
      onClick={() => onOpen(task.taskId)}
    >
      <StatusIcon task={task} />
      <span className={rowsStyles.name} dir="auto" title={escapeBidi(task.name)}>
        <TaskName task={task} />
      </span>
      <time className={rowsStyles.age} dateTime={at} title={formatFullDate(at)}>
        {formatTime(at, dayTimestamp)}
      </time>
      <span className={rowsStyles.sub}>
        <b>{handled ? <bdi>{bidiSafe(handled.actionTitle)}</bdi> : cancelled ? 'Cancelled' : 'Expired'}</b>
        {handled && (
          <>
            {' · '}
            {handled.decidedBy === 'timeout' ? (
              'automatically, at the deadline'
            ) : handled.decidedBy === 'rule' ? (
              <bdi>{task.rule ? bidiSafe(`Rule: ${task.rule.name}`) : 'Rule'}</bdi>
            ) : (
              <>
                <bdi title={handled.handledBy}>{bidiSafe(by ?? '')}</bdi>
                {!handled.answers && viaText(handled.via)}
              </>
            )}
          </>
        )}
        {' · '}
        <bdi>{bidiSafe(task.app)}</bdi>
        <span className={rowsStyles.type}>
          {' · '}
          <bdi>{task.type}</bdi>
        </span>
      </span>
    </div>
  )
})

/**
 * When the task ended. For an expired task, this is its deadline, not `updatedAt`, which changes when
 * its content is deleted.
 */
export function endedAt({ handled, cancelled, expiresAt }: TaskRecord): string {
  return handled?.handledAt ?? cancelled?.at ?? expiresAt!
}

function StatusIcon({ task: { handled, cancelled } }: { task: TaskRecord }) {
  if (cancelled) return <Icon of={CircleSlash} name="Cancelled" className={rowsStyles.end} />
  if (!handled) return <Icon of={Clock} name="Expired" className={rowsStyles.end} />
  const isRejected = handled.actionId === reservedActions.rejectRequest.id
  return (
    <Icon of={isRejected ? X : Check} name={isRejected ? 'Rejected' : 'Handled'} className={rowsStyles.end} />
  )
}
