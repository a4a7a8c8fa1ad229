import { Check, Clock, CornerDownRight, Pencil, Radio, UserCheck, UserRound, UsersRound } from 'lucide-react'
import { type MouseEvent, memo } from 'react'
import { answeredByDeadline } from '../../../contract/answered-by.ts'
import { groupPrefix } from '../../../contract/group-prefix.ts'
import type { RowConversation } from '../../../contract/inbox.ts'
import type { Priority } from '../../../contract/task-fields.ts'
import { classes } from '../../lib/classes.ts'
import { displayName } from '../../lib/display-name.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { pushLabel } from '../../lib/push-label.ts'
import { formatAge, formatFullDate, formatTime, isDueSoon } from '../../lib/time.ts'
import type { NameOf } from '../../lib/use-members.ts'
import rowsStyles from '../../parts/task-list/rows.module.css'
import { Avatar } from '../../ui/avatar.tsx'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PriorityMark, priorityLabels } from '../../ui/priority-mark.tsx'
import { priorityOrder } from './list-query.ts'
import { isWaiting, type LoadedRow } from './listed-rows.ts'
import { dueTimeOf, formatRowDueTime, type RowDueTime } from './row-due-time.ts'

export type SelectionMode = 'toggle' | 'extend'

type Props = {
  row: LoadedRow
  isDisplayed: boolean
  /** Selected for a bulk answer. */
  isSelected: boolean
  isSeen: boolean
  me: { userId: string; email: string }
  nameOf: NameOf
  now: number
  position: number
  /** Number of tasks in the whole list; -1 if unknown. */
  setSize: number
  onOpen: (taskId: string) => void
  onSelect: (taskId: string, mode: SelectionMode) => void
}

export const TaskRow = memo(function TaskRow(props: Props) {
  const { row, isDisplayed, isSelected, isSeen, me, nameOf, now, position, setSize, onOpen, onSelect } = props
  const { claim, ending, assignedTo, conversation } = row
  const dueTime = dueTimeOf(row)
  const pushedLabel = pushLabel(row)
  const viewer =
    !ending && claim && claim.userId !== me.userId && Date.parse(claim.until) > now ? claim.name : undefined

  function handleClick(event: MouseEvent) {
    const isCheckbox = (event.target as Element).closest(`.${rowsStyles.box}`) !== null
    if (event.shiftKey) onSelect(row.taskId, 'extend')
    else if (isCheckbox || event.metaKey || event.ctrlKey) onSelect(row.taskId, 'toggle')
    else onOpen(row.taskId)
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys; its rows are never focused
    <div
      className={classes(
        rowsStyles.row,
        isSeen && rowsStyles.seen,
        ending && rowsStyles.ended,
        isWaiting(row) && rowsStyles.waiting,
        isSelected && rowsStyles.selected,
      )}
      role="option"
      tabIndex={-1}
      id={`row-${row.taskId}`}
      // In the terms of ARIA, the displayed row is the selected option, and a row selected for a
      // bulk answer is checked.
      aria-selected={isDisplayed}
      aria-checked={isSelected}
      aria-setsize={setSize}
      aria-posinset={position}
      // Shift-click selects rows, not text.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={handleClick}
    >
      <PriorityMark priority={row.priority} hasLabel />
      {/* For the pointer only: the keyboard has X, and screen readers read `aria-checked` of the row. */}
      <span className={rowsStyles.box} aria-hidden="true" title="Select">
        <i>{isSelected && <Icon of={Check} />}</i>
      </span>
      <span className={rowsStyles.name} dir="auto" title={escapeBidi(row.name)}>
        {bidiSafe(row.name)}
      </span>
      {dueTime ? (
        <DueTimeLabel dueTime={dueTime} now={now} />
      ) : (
        <time className={rowsStyles.age} dateTime={row.createdAt} title={formatFullDate(row.createdAt)}>
          {formatAge(row.createdAt, now)}
        </time>
      )}
      <span className={rowsStyles.sub}>
        {ending ? (
          describeEnding(ending, row.review, nameOf)
        ) : row.snoozedUntil ? (
          <b>Snoozed until {formatTime(row.snoozedUntil, now)}</b>
        ) : conversation ? (
          <ConversationMark conversation={conversation} myEmail={me.email} nameOf={nameOf} />
        ) : row.section !== 'waiting' &&
          priorityOrder.indexOf(row.section) < priorityOrder.indexOf(row.priority) ? (
          <SectionReason section={row.section} sectionSetBy={row.sectionSetBy} />
        ) : (
          <>
            <b>
              <bdi>{bidiSafe(row.app)}</bdi>
            </b>
            <span className={rowsStyles.type}>
              {' · '}
              <bdi>{row.type}</bdi>
            </span>
            {row.snippet && (
              <>
                <span>{' · '}</span>
                <span className={rowsStyles.snippet} dir="auto">
                  {bidiSafe(row.snippet)}
                </span>
              </>
            )}
          </>
        )}
      </span>
      <span className={rowsStyles.flags}>
        {assignedTo !== undefined &&
          (assignedTo === me.email ? (
            <Icon of={UserCheck} name="Assigned to you" className={rowsStyles.mine} />
          ) : (
            <Icon
              of={assignedTo.startsWith(groupPrefix) ? UsersRound : UserRound}
              name={`Assigned to ${escapeBidi(displayName(assignedTo, nameOf))}`}
            />
          ))}
        {row.review && row.review.needed > 1 && (
          <span className="chip" title={describeReview(row.review)}>
            {row.review.answered ? (
              <span>
                You answered
                <span className={rowsStyles.countAfterOwn}> · {countAnswers(row.review)}</span>
              </span>
            ) : (
              countAnswers(row.review)
            )}
          </span>
        )}
        {row.hasDraft && <Icon of={Pencil} name="Draft saved" />}
        {pushedLabel && <Icon of={Radio} name={pushedLabel} className="text-accent-ink" />}
        {viewer && <Avatar name={viewer} title={`${escapeBidi(viewer)} is viewing this task`} />}
      </span>
    </div>
  )
})

type MarkProps = { conversation: RowConversation; myEmail: string; nameOf: NameOf }

/** Who asked what, and whether the agent has replied. */
function ConversationMark({ conversation: { state, text, askedBy }, myEmail, nameOf }: MarkProps) {
  const asker = askedBy === myEmail ? 'You' : escapeBidi(displayName(askedBy, nameOf))
  return (
    <>
      {state === 'replied' && <b className={rowsStyles.replied}>Agent replied</b>}
      {state === 'unanswered' && <b>No reply yet</b>}
      <span>{state === 'waiting' ? `${asker} asked: ` : ' · '}</span>
      <span className={rowsStyles.snippet} dir="auto">
        {text ? bidiSafe(text) : 'Message deleted'}
      </span>
    </>
  )
}

/** Has a clock icon from half an hour before the due time. */
function DueTimeLabel({ dueTime, now }: { dueTime: RowDueTime; now: number }) {
  const { at, isDeadline } = dueTime
  const isLate = Date.parse(at) <= now
  const isSoon = isDueSoon(at, now)
  return (
    <time
      className={classes(rowsStyles.age, isLate ? rowsStyles.late : isSoon && rowsStyles.due)}
      dateTime={at}
      title={`${isDeadline ? 'Deadline' : 'Answer by'} ${formatFullDate(at)}`}
    >
      {isSoon && <Icon of={Clock} />}
      {formatRowDueTime(dueTime, now)}
    </time>
  )
}

type SectionReasonProps = { section: Priority; sectionSetBy: string }

/** Why the task is listed above its own priority: another task of its thread has the higher one. */
function SectionReason({ section, sectionSetBy }: SectionReasonProps) {
  return (
    <span
      className={rowsStyles.why}
      title={`${priorityLabels[section]} because of “${escapeBidi(sectionSetBy)}”`}
    >
      <Icon of={CornerDownRight} />
      {priorityLabels[section]} because of “<bdi>{bidiSafe(sectionSetBy)}</bdi>”
    </span>
  )
}

type RowReview = NonNullable<LoadedRow['review']>

/** While the answers differ, the task stays open, even with as many answers as needed or more. */
function countAnswers({ needed, given }: RowReview): string {
  return given < needed ? `${given} of ${needed}` : `${given} answers`
}

function describeReview({ needed, given, answered }: RowReview): string {
  const count = given !== 1 ? `${given} have` : answered ? 'You have' : '1 has'
  const andYou = answered && given > 1 ? ', including you' : ''
  return `${needed} people must give the same answer. ${count} answered${andYou}.`
}

function describeEnding(
  { how, by, title }: NonNullable<LoadedRow['ending']>,
  review: RowReview | undefined,
  nameOf: NameOf,
): string {
  // An automatic answer at the deadline reads like any other passed deadline.
  if (how === 'handled' && by !== answeredByDeadline) {
    // `given` counts the answers that left the task open. `by` gave one more, which ended it.
    if (review?.given) return `Several people answered${title ? `. Result: “${escapeBidi(title)}”` : ''}`
    const who = by ? escapeBidi(displayName(by, nameOf)) : 'Someone'
    return `${who} answered${title ? ` “${escapeBidi(title)}”` : ''}`
  }
  if (how === 'missing') return 'No longer in this list'
  return how === 'cancelled' ? 'This task was cancelled' : 'The deadline has passed'
}
