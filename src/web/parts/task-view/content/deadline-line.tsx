import { Clock } from 'lucide-react'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { classes } from '../../../lib/classes.ts'
import {
  formatAnswerBy,
  formatFullDate,
  formatTime,
  formatTimeLeft,
  isDueSoon,
  isToday,
} from '../../../lib/time.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { Icon } from '../../../ui/icon.tsx'
import styles from './deadline-line.module.css'

/** The time by which a policy wants an answer. The task stays open after it. */
export function AnswerByLine({ answerBy, now }: { answerBy: string; now: number }) {
  const isLate = Date.parse(answerBy) <= now
  return (
    <p className={classes(styles.deadline, isLate ? styles.late : isDueSoon(answerBy, now) && styles.soon)}>
      <Icon of={Clock} />
      <span>
        Answer by{' '}
        <time dateTime={answerBy} title={formatFullDate(answerBy)}>
          {formatTime(answerBy, now)}
        </time>{' '}
        (<b>{formatAnswerBy(answerBy, now)}</b>).
      </span>
    </p>
  )
}

type Props = { task: MemberTaskRecord; expiresAt: string; now: number }

/** The deadline, and what happens if the task is still open then. */
export function DeadlineLine({ task: { sent, actions, questions }, expiresAt, now }: Props) {
  const isLate = Date.parse(expiresAt) <= now
  // While a question has no reply, nothing is answered automatically.
  const hasOpenQuestion = questions?.some(({ answer }) => !answer)
  const actionId = hasOpenQuestion ? undefined : sent?.onExpire?.actionId
  const title = actionId && (actions?.find(({ id }) => id === actionId)?.title ?? actionId)
  const when = (
    <time dateTime={expiresAt} title={formatFullDate(expiresAt)}>
      {formatTime(expiresAt, now)}
    </time>
  )
  const preposition = isToday(expiresAt, now) ? 'At' : 'On'
  const answer = title && (
    <b>
      <bdi>{bidiSafe(title)}</bdi>
    </b>
  )
  return (
    <p className={classes(styles.deadline, isLate ? styles.late : isDueSoon(expiresAt, now) && styles.soon)}>
      <Icon of={Clock} />
      <span>
        {isLate ? (
          answer ? (
            <>The deadline has passed. {answer} is being sent automatically.</>
          ) : (
            'The deadline has passed. This task is expiring.'
          )
        ) : answer ? (
          <>
            {preposition} {when}, {answer} is sent automatically.
          </>
        ) : (
          <>
            {preposition} {when} this task expires.
          </>
        )}
        {!isLate && <span className={styles.timeLeft}>{formatTimeLeft(expiresAt, now)}</span>}
      </span>
    </p>
  )
}
