import { Link } from '@tanstack/react-router'
import type { AnalysisRun } from '../../../contract/feedback-analysis.ts'
import type { AppAndType } from '../../lib/app-and-type.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { ActionOutcomes } from './action-outcomes.tsx'
import styles from './analysis-aside.module.css'
import { AppAndTypeList } from './app-and-type-list.tsx'
import type { DayRange } from './range.ts'
import { RunLine, RunState } from './run-state.tsx'
import type { StatisticsFilters } from './statistics-filters.ts'
import { useAnalyses, useAnalysis } from './use-analyses.ts'
import { useActionsOf, useAppsAndTypes } from './use-statistics.ts'

/**
 * The verdict of the latest completed analysis of the chosen app and type. If none is chosen yet, a
 * list of apps and types.
 */
export function AnalysisAside({ filters, range }: { filters: StatisticsFilters; range: DayRange }) {
  const { app, type } = filters
  return (
    <aside className={styles.analysis} aria-labelledby="analysis-title">
      {app !== undefined && type !== undefined ? (
        <LatestAnalysis app={app} type={type} />
      ) : (
        <ChooseAppAndType filters={filters} range={range} />
      )}
    </aside>
  )
}

function ChooseAppAndType({ filters, range }: { filters: StatisticsFilters; range: DayRange }) {
  const { workspaceId } = useWorkspace()
  const pairs = useAppsAndTypes(filters, range)
  return (
    <>
      <header>
        <h2 id="analysis-title">Feedback analysis</h2>
      </header>
      <p className={styles.intro}>
        An analysis reads the answers for one app and type and recommends what its agent should change.
        {pairs &&
          (pairs.length > 0 ? ' Choose an app and type:' : ' No app and type has answers in this period.')}
      </p>
      <AppAndTypeList pairs={pairs ?? []}>
        {({ app, type }, name) => (
          <Link
            className="link"
            to="/w/$workspaceId/statistics"
            params={{ workspaceId }}
            search={{ ...filters, app, type }}
          >
            {name}
          </Link>
        )}
      </AppAndTypeList>
    </>
  )
}

function LatestAnalysis(appAndType: AppAndType) {
  const { workspaceId } = useWorkspace()
  const analyses = useAnalyses(appAndType)
  const actions = useActionsOf(appAndType)
  const { runs, isBusy, isLoaded, analyzeButton, analyze } = analyses
  const shown = runs.find(({ status }) => status === 'completed')
  return (
    <>
      <header>
        <h2 id="analysis-title">Feedback analysis</h2>
        <button
          ref={analyzeButton}
          type="button"
          className={runs.length === 0 ? 'btn small primary' : 'btn small'}
          aria-disabled={isBusy}
          onClick={analyze}
        >
          Analyze feedback
        </button>
      </header>
      <RunState analyses={analyses} shownId={shown?.analysisId} />
      {shown && <Verdict run={shown} />}
      {isLoaded && runs.length === 0 && (
        <p className={styles.intro}>
          No analysis yet. An analysis reads the answers of the last 30 days. Agents get the result with{' '}
          <code>get_feedback_analysis</code>.
        </p>
      )}
      {runs.length > 0 && (
        <Link
          className="btn above-16"
          to="/w/$workspaceId/statistics/analysis"
          params={{ workspaceId }}
          search={appAndType}
        >
          Open analysis
        </Link>
      )}
      {actions && <ActionOutcomes {...appAndType} actions={actions} />}
    </>
  )
}

/**
 * The verdict of a completed run, as a chip and as text. Runs of earlier releases, and runs whose
 * texts were deleted, have only the chip.
 */
function Verdict({ run }: { run: AnalysisRun }) {
  const { result } = useAnalysis(run.analysisId).data ?? {}
  return (
    <div className="above-12">
      <RunLine run={run} />
      {result && <p className={styles.verdict}>{bidiSafe(result.verdict)}</p>}
    </div>
  )
}
