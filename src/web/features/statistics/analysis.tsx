import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { AnalysisRun } from '../../../contract/feedback-analysis.ts'
import { formatCount } from '../../lib/count.ts'
import { asProblem } from '../../lib/problem.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { ProblemStrip } from '../../ui/strip.tsx'
import { ActionOutcomes } from './action-outcomes.tsx'
import styles from './analysis.module.css'
import { AnalysisHistory } from './analysis-history.tsx'
import { AnalysisResult, NoResult, verdictOf } from './analysis-result.tsx'
import { Health } from './pairs-table.tsx'
import type { Range } from './range.ts'
import type { StatisticsFilters } from './statistics-filters.ts'
import { isInProgress, type Pair, useAnalyses } from './use-analyses.ts'
import { useFilterOptions, usePairActions } from './use-statistics.ts'

/** Feedback analysis of one app and type, or a list to choose a pair from. */
export function Analysis({ filters, range }: { filters: StatisticsFilters; range: Range }) {
  const { app, type } = filters
  return (
    <aside className={styles.analysis} aria-labelledby="analysis-title">
      {app !== undefined && type !== undefined ? (
        <PairAnalysis app={app} type={type} />
      ) : (
        <ChoosePair filters={filters} range={range} />
      )}
    </aside>
  )
}

function ChoosePair({ filters, range }: { filters: StatisticsFilters; range: Range }) {
  const { workspaceId } = useWorkspace()
  const { pairs } = useFilterOptions(filters, range)
  const matching = pairs.filter(
    ({ app, type }) =>
      (filters.app === undefined || app === filters.app) &&
      (filters.type === undefined || type === filters.type),
  )
  return (
    <>
      <header>
        <h2 id="analysis-title">Feedback analysis</h2>
      </header>
      <p className={styles.intro}>
        An analysis reads the answers for one app and type and recommends what its agent should change.
        {matching.length > 0 ? ' Choose an app and type:' : ' There are no answers in this period yet.'}
      </p>
      <ul className={styles.choosePair}>
        {matching.slice(0, 12).map(({ app, type, health }) => (
          <li key={JSON.stringify([app, type])}>
            <Link
              className="link"
              to="/w/$workspaceId/statistics"
              params={{ workspaceId }}
              search={{ ...filters, app, type }}
            >
              <bdi>{bidiSafe(app)}</bdi> / <bdi>{bidiSafe(type)}</bdi>
            </Link>
            <Health health={health} />
          </li>
        ))}
      </ul>
    </>
  )
}

function PairAnalysis(pair: Pair) {
  const { query, start, cancel } = useAnalyses(pair)
  const actions = usePairActions(pair)
  const [chosen, setChosen] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)
  const hasStarted = start.isSuccess
  const runs = query.data?.analyses ?? []
  const runInProgress = runs.find(isInProgress)
  const latest = runs[0]
  const shown =
    runs.find(({ analysisId }) => analysisId === chosen) ?? runs.find(({ status }) => status === 'completed')
  const failed = start.error ?? cancel.error ?? query.error

  function analyze() {
    if (start.isPending || runInProgress) return
    setChosen(undefined)
    start.mutate()
  }

  function cancelRun() {
    if (runInProgress) cancel.mutate(runInProgress.analysisId)
    button.current?.focus()
  }

  return (
    <>
      <header>
        <h2 id="analysis-title">Feedback analysis</h2>
        <button
          ref={button}
          type="button"
          className={runs.length === 0 ? 'btn small primary' : 'btn small'}
          aria-disabled={start.isPending || runInProgress !== undefined}
          onClick={analyze}
        >
          Analyze feedback
        </button>
      </header>
      {failed && (
        <ProblemStrip
          message={`The analysis couldn't be ${start.error ? 'started' : cancel.error ? 'cancelled' : 'loaded'}.`}
          problem={asProblem(failed)}
        />
      )}
      <p className="sr-only" role="status">
        {runInProgress
          ? 'Analysis in progress.'
          : hasStarted && latest && `Analysis finished: ${verdictOf(latest)}`}
      </p>
      {runInProgress && <Progress run={runInProgress} onCancel={cancelRun} />}
      {latest?.status === 'failed' && latest !== shown && <NoResult run={latest} />}
      {shown ? (
        <AnalysisResult key={shown.analysisId} run={shown} />
      ) : (
        query.data &&
        runs.length === 0 && (
          <p className={styles.intro}>
            No analysis yet. It reads the answers of the last 30 days, and agents can get the result with{' '}
            <code>get_feedback_analysis</code>.
          </p>
        )
      )}
      {actions && <ActionOutcomes {...pair} actions={actions} />}
      {runs.length > 0 && <AnalysisHistory runs={runs} shownId={shown?.analysisId} onShow={setChosen} />}
    </>
  )
}

function Progress({ run: { status, progress }, onCancel }: { run: AnalysisRun; onCancel: () => void }) {
  const { tasksRead, tasksToRead } = progress
  const isCounting = status === 'pending' || tasksToRead === 0
  return (
    <div className={styles.analysisProgress}>
      <p>
        {isCounting
          ? 'Starting the analysis…'
          : `Reading answers: ${formatCount(tasksRead)} of ${formatCount(tasksToRead)}.`}
      </p>
      <progress aria-label="Analysis" max={tasksToRead || 1} {...(!isCounting && { value: tasksRead })} />
      <button type="button" className="btn small" onClick={onCancel}>
        Cancel
      </button>
    </div>
  )
}
