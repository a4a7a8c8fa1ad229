import type { GivenAnswer } from '../../../../contract/review.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import { displayName } from '../../../lib/display-name.ts'
import { formatFullDate, formatTime } from '../../../lib/time.ts'
import { useNameOf } from '../../../lib/use-members.ts'
import { useNow } from '../../../lib/use-now.ts'
import { viaText } from '../../../lib/via-text.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { useHideNames } from '../comparisons/task-display.ts'
import { AnswerValues } from './answer-data.tsx'
import styles from './given-answers.module.css'
import { toneOf } from './outcome-tone.ts'

/** Everyone's answers to a task with a review, oldest first. */
export default function GivenAnswers({ task, answers }: { task: TaskRecord; answers: GivenAnswer[] }) {
  const now = useNow()
  const nameOf = useNameOf()
  const hide = useHideNames()
  return (
    <ol className={styles.answers} aria-label="Answers">
      {answers.map(({ by, at, actionId, actionTitle, data, via }) => (
        <li key={by}>
          <span className={`chip ${toneOf(task, actionId)}`}>
            <bdi>{bidiSafe(hide(actionTitle))}</bdi>
          </span>{' '}
          <span className="text-ink-2">
            <bdi>{bidiSafe(displayName(by, nameOf))}</bdi>
            {viaText(via)},{' '}
            <time dateTime={at} title={formatFullDate(at)}>
              {formatTime(at, now)}
            </time>
          </span>
          <AnswerValues action={task.actions?.find(({ id }) => id === actionId)} data={data} />
        </li>
      ))}
    </ol>
  )
}
