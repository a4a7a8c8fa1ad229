import { Check, CircleSlash, Clock, X } from 'lucide-react'
import { Suspense, useRef } from 'react'
import { reservedActions } from '../../../../contract/reserved-actions.ts'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { whyExpired } from '../../../../contract/why-expired.ts'
import { classes } from '../../../lib/classes.ts'
import { pluralize } from '../../../lib/count.ts'
import { displayName } from '../../../lib/display-name.ts'
import { formatDuration, formatFullDate, formatTime } from '../../../lib/time.ts'
import { useNameOf } from '../../../lib/use-members.ts'
import { useNow } from '../../../lib/use-now.ts'
import { viaText } from '../../../lib/via-text.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { onDemandPart } from '../../../ui/lazy-part.tsx'
import panesStyles from '../../../ui/panes.module.css'
import { RuleLink } from '../content/rule-link.tsx'
import dockStyles from '../dock/dock.module.css'
import { useDockPlace } from '../dock/use-dock-place.ts'
import { DeliveryStatus } from './delivery-status.tsx'
import { toneOf } from './outcome-tone.ts'
import { PresentedComparisons } from './presented-comparisons.tsx'
import styles from './task-result.module.css'

// Loaded on demand, because it needs the context widgets.
const AnswerData = onDemandPart(() => import('./answer-data.tsx'))
// Few tasks have a review.
const GivenAnswers = onDemandPart(() => import('./given-answers.tsx'))

/** Replaces the dock once the task has ended: the answer, who gave it, when, and its delivery. */
export default function TaskResult({ task }: { task: MemberTaskRecord }) {
  const now = useNow()
  const { handled, cancelled } = task
  const answers = handled?.answers && handled.answers.length > 1 ? handled.answers : undefined
  const dock = useRef<HTMLElement>(null)
  const { isBeside } = useDockPlace(dock, task.actions)
  return (
    <aside
      ref={dock}
      className={classes(dockStyles.dock, panesStyles.dock, isBeside && dockStyles.column)}
      aria-label="Answer"
    >
      <header>
        <h2>{handled ? 'Answer' : 'No answer'}</h2>
      </header>
      <div className={`${styles.result} ${dockStyles.result}`}>
        {handled ? (
          <>
            <p className={styles.outcome}>
              <span className={`chip ${toneOf(task, handled.actionId)}`}>
                <Icon of={handled.actionId === reservedActions.rejectRequest.id ? X : Check} />
                <bdi>{bidiSafe(handled.actionTitle)}</bdi>
              </span>
              <span className="text-ink-2">
                {handled.decidedBy === 'timeout' ? (
                  'automatically, at the deadline'
                ) : handled.ruleId !== undefined ? (
                  <>
                    {task.rule && 'Rule: '}
                    <RuleLink ruleId={handled.ruleId} name={task.rule?.name} />
                  </>
                ) : answers ? (
                  `${pluralize(answers.length, 'person', 'people')} answered`
                ) : (
                  <Answerer email={handled.handledBy} />
                )}
                {handled.handledByVerified === false && ' (not verified)'}
                {!answers && viaText(handled.via)},{' '}
                <time dateTime={handled.handledAt} title={formatFullDate(handled.handledAt)}>
                  {formatTime(handled.handledAt, now)}
                </time>
                {/* A rule answers when the task is created. */}
                {handled.ruleId === undefined &&
                  `, after ${formatDuration(Date.parse(handled.handledAt) - Date.parse(task.createdAt))}`}
              </span>
            </p>
            {Object.keys(handled.data).length > 0 && (
              <Suspense>
                <AnswerData task={task} />
              </Suspense>
            )}
            {answers && (
              <Suspense>
                <GivenAnswers task={task} answers={answers} />
              </Suspense>
            )}
            {handled.presented && (
              <PresentedComparisons presented={handled.presented} context={task.context} />
            )}
          </>
        ) : cancelled ? (
          <p className={styles.outcome}>
            <span className="chip">
              <Icon of={CircleSlash} />
              Cancelled
            </span>
            <span className="wrap-anywhere text-ink-2">
              {formatTime(cancelled.at, now)}
              {cancelled.reason && <>: {bidiSafe(cancelled.reason)}</>}
            </span>
          </p>
        ) : (
          <p className={styles.outcome}>
            <span className="chip warn">
              <Icon of={Clock} />
              Expired
            </span>
            <span className="text-ink-2">{whyExpired({ ...task.review, revision: task.revision })}</span>
          </p>
        )}
        {!cancelled && <DeliveryStatus task={task} />}
      </div>
    </aside>
  )
}

/** Name and email, because names are not unique. */
function Answerer({ email }: { email: string }) {
  const name = useNameOf()(email)
  return (
    <>
      <bdi>{bidiSafe(displayName(email, () => name))}</bdi>
      {name !== undefined && (
        <span className="text-ink-3">
          {' '}
          (<bdi>{email}</bdi>)
        </span>
      )}
    </>
  )
}
