import { CircleCheck, CircleSlash, Copy, TriangleAlert } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { AnalysisRun } from '../../../contract/feedback-analysis.ts'
import { limits } from '../../../contract/limits.ts'
import { pluralize } from '../../lib/count.ts'
import { dayRangeLabel } from '../../lib/days.ts'
import { formatTime } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Strip } from '../../ui/strip.tsx'
import analysisStyles from './analysis.module.css'
import styles from './analysis-result.module.css'

const AnalysisText = lazy(() => import('./analysis-text.tsx'))

/** The result of a completed, failed or cancelled run. */
export function AnalysisResult({ run }: { run: AnalysisRun }) {
  const now = useNow()
  const [isExpanded, setExpanded] = useState(false)
  const { status, message, taskCount, periodStart, periodEnd, endedAt, startedBy, analyst, note } = run
  return (
    <>
      <p className={styles.meta}>
        <Verdict run={run} /> {status === 'completed' && `${pluralize(taskCount, 'answer')}, `}
        {dayRangeLabel(periodStart.slice(0, 10), periodEnd.slice(0, 10))}
        {endedAt && `, ${status === 'completed' ? 'finished' : 'ended'} ${formatTime(endedAt, now)}`}
        {startedBy && (
          <>
            , started by <bdi>{bidiSafe(startedBy)}</bdi>
          </>
        )}
        {analyst && analyst !== 'built-in' && (
          <>
            , written by <bdi>{bidiSafe(analyst)}</bdi>
          </>
        )}
      </p>
      {status === 'failed' && <NoResult run={run} />}
      {note && <p className={analysisStyles.intro}>{bidiSafe(note)}</p>}
      {hasTooFewAnswers(run) && <p className={analysisStyles.intro}>{message}</p>}
      {status === 'completed' && (
        <Suspense fallback={<Skeleton className="above-16" height="10rem" />}>
          <h3>What people said</h3>
          <AnalysisText text={run.summary} />
          <h3>Recommendations</h3>
          <AnalysisText text={run.recommendation} />
        </Suspense>
      )}
      {run.agentInstructions !== '' && (
        <>
          <div className={styles.doIt}>
            <CopyButton className="btn" confirmation="text" text={() => run.agentInstructions}>
              <Icon of={Copy} />
              Copy agent instructions
            </CopyButton>
            <button
              type="button"
              className="btn quiet"
              aria-expanded={isExpanded}
              onClick={() => setExpanded(!isExpanded)}
            >
              {isExpanded ? 'Hide instructions' : 'Show instructions'}
            </button>
          </div>
          {isExpanded && (
            // biome-ignore lint/a11y: a scrollable box must be focusable, and then it needs a role and a name
            <pre className={styles.instructions} role="group" tabIndex={0} aria-label="Agent instructions">
              {bidiSafe(run.agentInstructions)}
            </pre>
          )}
        </>
      )}
    </>
  )
}

/** Explains why an ended run has no result. */
export function NoResult({ run: { isCancelled, message } }: { run: AnalysisRun }) {
  if (!isCancelled) return <Strip tone="warn">{message}</Strip>
  return (
    <Strip tone="info" icon={CircleSlash}>
      The analysis was cancelled before it finished. Click “Analyze feedback” to start another.
    </Strip>
  )
}

function hasTooFewAnswers({ status, taskCount }: AnalysisRun): boolean {
  return status === 'completed' && taskCount < limits.answersToJudge
}

export function verdictOf(run: AnalysisRun): string {
  if (run.isCancelled) return 'Cancelled'
  if (run.status === 'failed') return 'Failed'
  if (run.status !== 'completed') return 'In progress'
  return hasTooFewAnswers(run) ? 'Not enough data' : run.isHealthy ? 'Healthy' : 'Needs changes'
}

function Verdict({ run }: { run: AnalysisRun }) {
  const verdict = verdictOf(run)
  if (verdict === 'Healthy') {
    return (
      <span className="chip pos">
        <Icon of={CircleCheck} />
        {verdict}
      </span>
    )
  }
  if (verdict !== 'Needs changes') return <span className="chip">{verdict}</span>
  return (
    <span className="chip warn">
      <Icon of={TriangleAlert} />
      {verdict}
    </span>
  )
}
