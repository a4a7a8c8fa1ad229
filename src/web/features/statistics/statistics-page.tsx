import { Link, useSearch } from '@tanstack/react-router'
import type { Statistics } from '../../../contract/statistics.ts'
import { formatCount } from '../../lib/count.ts'
import { asProblem } from '../../lib/problem.ts'
import { useRole } from '../../lib/role.ts'
import { useTitle } from '../../lib/use-title.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { Nav } from '../../parts/shell/nav.tsx'
import { ProblemStrip } from '../../ui/strip.tsx'
import { ActionsChart } from './actions-chart.tsx'
import { AgreementTable } from './agreement-table.tsx'
import { AnalysisAside } from './analysis-aside.tsx'
import { AppsAndTypesTable } from './apps-and-types-table.tsx'
import { ComparisonChart } from './comparison-chart.tsx'
import { EditsTable } from './edits-table.tsx'
import { ExportTasks } from './export-tasks.tsx'
import { Figures } from './figures.tsx'
import { FillPatterns } from './fills.tsx'
import { FilterBar } from './filter-bar.tsx'
import { FormQuestionChart } from './form-question-chart.tsx'
import { InTimeTable } from './in-time-table.tsx'
import { type DayRange, rangeOf } from './range.ts'
import { ReasonsChart } from './reasons-chart.tsx'
import statisticsStyles from './statistics.module.css'
import type { StatisticsFilters } from './statistics-filters.ts'
import styles from './statistics-page.module.css'
import { StatisticsSkeleton } from './statistics-skeleton.tsx'
import { TimesChart } from './times-chart.tsx'
import { useStatistics } from './use-statistics.ts'
import { VersionsChart } from './versions-chart.tsx'

/** Key figures, charts, the export, and the latest feedback analysis. */
export function StatisticsPage() {
  const filters: StatisticsFilters = useSearch({ from: '/w/$workspaceId/statistics' })
  const { isAtLeast } = useRole()
  const { range, current, previous } = useStatistics(filters)
  const problem = current.error ? asProblem(current.error) : undefined
  useTitle('Statistics')
  return (
    <div className="app">
      <a className="skip" href="#statistics">
        Skip to statistics
      </a>
      <Nav />
      <main className={styles.statistics} id="statistics" tabIndex={-1} aria-busy={current.isPlaceholderData}>
        <FillPatterns />
        <div className="bar">
          <h1>Statistics</h1>
          <FilterBar filters={filters} range={range} />
          {isAtLeast('admin') && <ExportTasks filters={filters} range={range} />}
        </div>
        {problem && problem.status !== 401 && (
          <ProblemStrip
            message="Statistics couldn't be loaded."
            problem={problem}
            onRetry={() => void current.refetch()}
          />
        )}
        {current.data ? (
          <div className={`${statisticsStyles.wrap} ${styles.wrap}`}>
            <Figures figures={current.data} previous={previous} />
            <div className={statisticsStyles.columns}>
              <div className={statisticsStyles.charts}>
                {current.data.answers + current.data.timeouts + current.data.rules > 0 ? (
                  <Charts figures={current.data} filters={filters} />
                ) : (
                  <>
                    <NoAnswers filters={filters} range={range} />
                    {current.data.inTime && <InTimeTable inTime={current.data.inTime} />}
                  </>
                )}
              </div>
              <AnalysisAside
                key={JSON.stringify([filters.app, filters.type])}
                filters={filters}
                range={range}
              />
            </div>
          </div>
        ) : (
          !problem && <StatisticsSkeleton />
        )}
      </main>
    </div>
  )
}

function Charts({ figures, filters }: { figures: Statistics; filters: StatisticsFilters }) {
  const { versions, details } = figures
  const chartProps = { figures, filters }
  // The win rates already show the field that names the winner of a comparison.
  const isNotWinner = ({ field }: { field: string }) =>
    !details?.comparisons.some(({ property }) => property === field)
  const isOverview = filters.app === undefined || filters.type === undefined
  return (
    <>
      <ActionsChart {...chartProps} />
      {versions.length > 0 && <VersionsChart {...chartProps} />}
      {figures.edits && <EditsTable edits={figures.edits} versions={versions} />}
      {isOverview && <AppsAndTypesTable {...chartProps} />}
      {figures.timesToAnswer.length > 0 && <TimesChart {...chartProps} />}
      {figures.inTime && <InTimeTable inTime={figures.inTime} />}
      {details?.agreement && <AgreementTable agreement={details.agreement} />}
      {details && details.basedOn < figures.answers && (
        <p className={styles.basedOn}>
          The charts below are based on the newest {formatCount(details.basedOn)} of{' '}
          {formatCount(figures.answers)} answers. An analysis reads all answers of the last 30 days.
        </p>
      )}
      {details?.comparisons.map((comparison) => (
        <ComparisonChart
          key={`${comparison.field} ${comparison.property}`}
          comparison={comparison}
          {...chartProps}
        />
      ))}
      {details?.questions.filter(isNotWinner).map((question) => (
        <FormQuestionChart
          key={JSON.stringify([question.actionId, question.field])}
          question={question}
          {...chartProps}
        />
      ))}
      {details && details.reasons.length > 0 && <ReasonsChart details={details} />}
    </>
  )
}

function NoAnswers({ filters, range }: { filters: StatisticsFilters; range: DayRange }) {
  const { workspaceId } = useWorkspace()
  const { app, type, version, person, days, from, to } = filters
  const longest = rangeOf({ days: '90' })
  const hasFilters = [app, type, version, person].some((value) => value !== undefined)
  const link = {
    className: 'btn above-12',
    to: '/w/$workspaceId/statistics',
    params: { workspaceId },
  } as const
  return (
    <div className="empty">
      <h2>No answers in this period</h2>
      {range.from > longest.from || range.to < longest.to ? (
        <Link {...link} search={{ app, type, version, person, days: '90' }}>
          Show the last 90 days
        </Link>
      ) : hasFilters ? (
        <Link {...link} search={{ days, from, to }}>
          Clear filters
        </Link>
      ) : (
        <p>Statistics appear here once people answer tasks.</p>
      )}
    </div>
  )
}
