import { Link, Navigate, useSearch } from '@tanstack/react-router'
import type { AppAndType } from '../../../lib/app-and-type.ts'
import { classes } from '../../../lib/classes.ts'
import { useTitle } from '../../../lib/use-title.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { Nav } from '../../../parts/shell/nav.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { ActionOutcomes } from '../action-outcomes.tsx'
import { AppAndTypeList } from '../app-and-type-list.tsx'
import { rangeOf } from '../range.ts'
import { RunState } from '../run-state.tsx'
import statisticsStyles from '../statistics.module.css'
import statisticsPageStyles from '../statistics-page.module.css'
import { useAnalyses, useAnalysis } from '../use-analyses.ts'
import { useActionsOf, useAppsAndTypes } from '../use-statistics.ts'
import { AnalysisBar } from './analysis-bar.tsx'
import styles from './analysis-page.module.css'
import type { AnalysisSearch } from './analysis-search.ts'
import { RunReport } from './run-report.tsx'

/** A feedback analysis of one app and type: what to change, why, and what became of earlier advice. */
export function AnalysisPage() {
  const { app, type, run } = useSearch({ from: '/w/$workspaceId/statistics/analysis' })
  useTitle('Feedback analysis')
  return (
    <div className="app">
      <a className="skip" href="#analysis">
        Skip to the analysis
      </a>
      <Nav />
      <main className={classes(statisticsPageStyles.statistics, styles.page)} id="analysis" tabIndex={-1}>
        {app !== undefined && type !== undefined ? (
          <AnalysesOf key={JSON.stringify([app, type])} appAndType={{ app, type }} chosenId={run} />
        ) : (
          <ChooseAppAndType app={app} type={type} />
        )}
      </main>
    </div>
  )
}

function AnalysesOf({ appAndType, chosenId }: { appAndType: AppAndType; chosenId: string | undefined }) {
  const analyses = useAnalyses(appAndType)
  const actions = useActionsOf(appAndType)
  const { runs, runInProgress, isLoaded } = analyses
  const newestCompleted = runs.find(({ status }) => status === 'completed')?.analysisId
  // A run in progress has no result to show.
  const shownId = chosenId && chosenId !== runInProgress?.analysisId ? chosenId : newestCompleted
  return (
    <>
      <AnalysisBar appAndType={appAndType} analyses={analyses} shownId={shownId} />
      <div className={classes(statisticsStyles.wrap, styles.content)}>
        <RunState analyses={analyses} shownId={shownId} />
        {shownId !== undefined && (
          <ShownRun appAndType={appAndType} analysisId={shownId} isLatest={shownId === newestCompleted} />
        )}
        {isLoaded && runs.length === 0 && shownId === undefined && (
          <div className="empty">
            <h2>No analysis yet</h2>
            <p>
              An analysis reads the answers of the last 30 days and recommends what the agent should change.
              Agents get the result with <code>get_feedback_analysis</code>.
            </p>
            <button type="button" className="btn primary above-12" onClick={analyses.analyze}>
              Analyze feedback
            </button>
          </div>
        )}
        {actions && (
          <div className={styles.outcomes}>
            <ActionOutcomes {...appAndType} actions={actions} />
          </div>
        )}
      </div>
    </>
  )
}

function ShownRun({
  appAndType,
  analysisId,
  isLatest,
}: {
  appAndType: AppAndType
  analysisId: string
  isLatest: boolean
}) {
  const query = useAnalysis(analysisId)
  return (
    <Loaded query={query} subject="The analysis">
      {(run) =>
        run.app === appAndType.app && run.type === appAndType.type ? (
          <RunReport key={analysisId} run={run} isLatest={isLatest} />
        ) : (
          // The id in the URL is of a run of another app and type.
          <Navigate
            from="/w/$workspaceId/statistics/analysis"
            to="/w/$workspaceId/statistics/analysis"
            search={{ app: run.app, type: run.type, run: analysisId }}
            replace
          />
        )
      }
    </Loaded>
  )
}

function ChooseAppAndType({ app, type }: Omit<AnalysisSearch, 'run'>) {
  const { workspaceId } = useWorkspace()
  const pairs = useAppsAndTypes({ app, type }, rangeOf({}))
  // At most one of `app` and `type` is set here.
  const ofChosen = app !== undefined ? ' of this app' : type !== undefined ? ' of this type' : ''
  return (
    <>
      <AnalysisBar appAndType={{ app, type }} />
      <div className={classes(statisticsStyles.wrap, styles.content)}>
        <div className={styles.choose}>
          <h2>Choose an app and type</h2>
          <p>
            An analysis reads the answers for one app and type and recommends what its agent should change.
            {pairs?.length === 0 && ` There are no answers${ofChosen} in the last 30 days.`}
          </p>
          <AppAndTypeList pairs={pairs ?? []}>
            {(chosen, name) => (
              <Link
                className="link"
                to="/w/$workspaceId/statistics/analysis"
                params={{ workspaceId }}
                search={{ app: chosen.app, type: chosen.type }}
              >
                {name}
              </Link>
            )}
          </AppAndTypeList>
        </div>
      </div>
    </>
  )
}
