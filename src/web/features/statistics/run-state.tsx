import { CircleSlash } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AnalysisRun } from '../../../contract/feedback-analysis.ts'
import { formatCount } from '../../lib/count.ts'
import { formatDayRange } from '../../lib/days.ts'
import { asProblem } from '../../lib/problem.ts'
import { formatTime } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { ProblemStrip, Strip } from '../../ui/strip.tsx'
import { Health } from './health.tsx'
import styles from './run-state.module.css'
import type { Analyses } from './use-analyses.ts'

type Props = { analyses: Analyses; shownId: string | undefined }

/**
 * The state of the analyses: a failed request, the progress of a run, and why the latest run has no
 * result.
 */
export function RunState({ analyses, shownId }: Props) {
  const { runs, runInProgress, hasStarted, failure, cancel } = analyses
  const latest = runs[0]
  return (
    <>
      {failure && (
        <ProblemStrip
          message={`The analysis couldn't be ${failure.action}.`}
          problem={asProblem(failure.error)}
        />
      )}
      <p className="sr-only" role="status">
        {runInProgress
          ? 'Analysis in progress.'
          : hasStarted && latest && `Analysis ended: ${verdictOf(latest)}`}
      </p>
      {runInProgress && <Progress run={runInProgress} onCancel={cancel} />}
      {latest?.status === 'failed' && latest.analysisId !== shownId && <NoResult run={latest} />}
    </>
  )
}

function Progress({ run: { status, progress }, onCancel }: { run: AnalysisRun; onCancel: () => void }) {
  const { tasksRead, tasksToRead } = progress
  const isStarting = status === 'pending' || tasksToRead === 0
  return (
    <div className={styles.progress}>
      <p>
        {isStarting
          ? 'Starting the analysis…'
          : tasksRead < tasksToRead
            ? `Reading answers: ${formatCount(tasksRead)} of ${formatCount(tasksToRead)}.`
            : 'Writing the result…'}
      </p>
      <progress aria-label="Analysis" max={tasksToRead || 1} {...(!isStarting && { value: tasksRead })} />
      <button type="button" className="btn small" onClick={onCancel}>
        Cancel
      </button>
    </div>
  )
}

/** Explains why a failed or cancelled run has no result. */
export function NoResult({ run: { isCancelled, message } }: { run: AnalysisRun }) {
  if (!isCancelled) return <Strip tone="warn">{message}</Strip>
  return (
    <Strip tone="info" icon={CircleSlash}>
      The analysis was cancelled before it finished.
    </Strip>
  )
}

/** Verdict and period of a run, when it ended, who started it, and which model wrote its texts. */
export function RunLine({ run }: { run: AnalysisRun }) {
  const now = useNow()
  const { status, periodStart, periodEnd, endedAt, startedBy, analyst } = run
  return (
    <p className={styles.line}>
      <VerdictChip run={run} />
      <span>
        {formatDayRange(periodStart.slice(0, 10), periodEnd.slice(0, 10))}
        {endedAt && `, ${status === 'completed' ? 'finished' : 'ended'} ${formatTime(endedAt, now)}`}
        {startedBy && <Credit verb="started by" name={startedBy} />}
        {analyst && analyst !== 'built-in' && <Credit verb="written by" name={analyst} />}
      </span>
    </p>
  )
}

function Credit({ verb, name }: { verb: string; name: string }): ReactNode {
  return (
    <>
      , {verb} <bdi>{bidiSafe(name)}</bdi>
    </>
  )
}

export function hasTooFewAnswers({ status, tooFew }: AnalysisRun): boolean {
  return status === 'completed' && tooFew
}

export function verdictOf(run: AnalysisRun): string {
  if (run.isCancelled) return 'Cancelled'
  if (run.status === 'failed') return 'Failed'
  if (run.status !== 'completed') return 'In progress'
  return hasTooFewAnswers(run) ? 'Too few answers' : run.isHealthy ? 'Healthy' : 'Not healthy'
}

function VerdictChip({ run }: { run: AnalysisRun }) {
  const verdict = verdictOf(run)
  if (verdict === 'Healthy') return <Health health="healthy" />
  if (verdict === 'Not healthy') return <Health health="not-healthy" />
  return <span className="chip">{verdict}</span>
}
