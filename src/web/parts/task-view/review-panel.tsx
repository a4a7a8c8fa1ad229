import { Suspense, useRef } from 'react'
import type { MemberTaskRecord } from '../../../contract/task.ts'
import { classes } from '../../lib/classes.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { onDemandPart } from '../../ui/lazy-part.tsx'
import panesStyles from '../../ui/panes.module.css'
import dockStyles from './dock.module.css'
import resultStyles from './task-result.module.css'
import { useDockPlace } from './use-dock-place.ts'

// Loaded on demand, because it needs the context widgets.
const GivenAnswers = onDemandPart(() => import('./given-answers.tsx'))

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
