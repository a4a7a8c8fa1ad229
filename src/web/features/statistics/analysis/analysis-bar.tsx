import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronLeft, RotateCw } from 'lucide-react'
import { useWorkspace } from '../../../lib/workspace.ts'
import { Icon } from '../../../ui/icon.tsx'
import filterStyles from '../filter-bar.module.css'
import { FilterSelect } from '../filter-select.tsx'
import { rangeOf } from '../range.ts'
import type { Analyses } from '../use-analyses.ts'
import { useFilterOptions } from '../use-statistics.ts'
import styles from './analysis-bar.module.css'
import type { AnalysisSearch } from './analysis-search.ts'
import { EarlierRuns } from './earlier-runs.tsx'

type Props = { appAndType: Omit<AnalysisSearch, 'run'>; analyses?: Analyses; shownId?: string | undefined }

/**
 * The bar of the page: the link back, the app and type, earlier runs, and the button that starts
 * another run.
 */
export function AnalysisBar({ appAndType: { app, type }, analyses, shownId }: Props) {
  const { workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const { pairs, apps, types } = useFilterOptions({ app }, rangeOf({}))
  const show = (search: AnalysisSearch) =>
    void navigate({ to: '/w/$workspaceId/statistics/analysis', params: { workspaceId }, search })

  /** Keeps the type if the chosen app has it. Otherwise, if the app has only one type, chooses it. */
  function chooseApp(chosen: string) {
    const typesOfApp = pairs.filter((pair) => pair.app === chosen).map((pair) => pair.type)
    const only = typesOfApp.length === 1 ? typesOfApp[0] : undefined
    show({ app: chosen, type: typesOfApp.find((one) => one === type) ?? only })
  }

  return (
    <div className="bar">
      <Link
        className={styles.back}
        to="/w/$workspaceId/statistics"
        params={{ workspaceId }}
        search={{ app, type }}
      >
        <Icon of={ChevronLeft} />
        Statistics
      </Link>
      <span className={styles.separator} aria-hidden="true">
        /
      </span>
      <h1>Feedback analysis</h1>
      <fieldset className={filterStyles.filterBar} aria-label="App and type">
        <FilterSelect
          name="App"
          value={app}
          {...(app === undefined && { emptyLabel: 'Choose' })}
          options={apps}
          onChoose={chooseApp}
        />
        <FilterSelect
          name="Type"
          value={type}
          {...(type === undefined && { emptyLabel: 'Choose' })}
          options={types}
          onChoose={(chosen) => show({ app, type: chosen })}
        />
      </fieldset>
      {analyses && analyses.runs.length > 0 && (
        <div className={styles.tools}>
          <EarlierRuns runs={analyses.runs} shownId={shownId} onShow={(run) => show({ app, type, run })} />
          <button
            ref={analyses.analyzeButton}
            type="button"
            className="btn small"
            aria-disabled={analyses.isBusy}
            onClick={() => {
              if (analyses.isBusy) return
              analyses.analyze()
              show({ app, type })
            }}
          >
            <Icon of={RotateCw} />
            Analyze again
          </button>
        </div>
      )}
    </div>
  )
}
