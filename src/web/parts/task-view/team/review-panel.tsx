import { Suspense, useRef } from 'react'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { classes } from '../../../lib/classes.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { onDemandPart } from '../../../ui/lazy-part.tsx'
import panesStyles from '../../../ui/panes.module.css'
import dockStyles from '../dock/dock.module.css'
import { useDockPlace } from '../dock/use-dock-place.ts'
import resultStyles from '../result/task-result.module.css'

// Loaded on demand, because it needs the context widgets.
const GivenAnswers = onDemandPart(() => import('../result/given-answers.tsx'))

/** Replaces the dock of an open task that this person may not answer, or has answered. */
export default function ReviewPanel({ task }: { task: MemberTaskRecord }) {
  const dock = useRef<HTMLElement>(null)
  const { isBeside } = useDockPlace(dock, task.actions)
  const { you, why, answers = [], needed, onDecline } = task.review!
  return (
    <aside
      ref={dock}
      className={classes(dockStyles.dock, panesStyles.dock, isBeside && dockStyles.column)}
      aria-label="Review"
    >
      <header>
        <h2>{you === 'answered' ? 'You have answered' : "You can't answer this task"}</h2>
      </header>
      <div className={`${resultStyles.result} ${dockStyles.result}`}>
        <p className="wrap-anywhere text-ink-2">
          {you === 'answered'
            ? `The task ends when ${needed} people have given the same answer${onDecline === 'end' ? ', or one rejects it or marks it done' : ''}. If everyone who may answer has answered and fewer than ${needed} answers match, admins who haven't answered may answer too.`
            : bidiSafe(why ?? '')}
        </p>
        {answers.length > 0 && (
          <Suspense>
            <GivenAnswers task={task} answers={answers} />
          </Suspense>
        )}
      </div>
    </aside>
  )
}
