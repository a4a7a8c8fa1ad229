import { Link } from '@tanstack/react-router'
import { limits } from '../../../contract/limits.ts'
import type { Statistics } from '../../../contract/statistics.ts'
import { formatCount } from '../../lib/count.ts'
import { formatShortDay, localDay } from '../../lib/days.ts'
import { formatInterval, formatPercent } from '../../lib/numbers.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Chart } from './chart.tsx'
import chartsStyles from './charts.module.css'
import { FiguresTable } from './figures-table.tsx'
import { fills } from './fills.tsx'
import { Health } from './health.tsx'
import { MixBar } from './mix-bar.tsx'
import { filtersOfCountedTasks } from './range.ts'
import type { StatisticsFilters } from './statistics-filters.ts'
import { summarizeAppsAndTypes } from './summaries.ts'
import { TasksLink } from './tasks-link.tsx'

type Props = { figures: Statistics; filters: StatisticsFilters }

/** Answers and health per app and type. */
export function AppsAndTypesTable({ figures: { pairs: appsAndTypes, from, to }, filters }: Props) {
  const { workspaceId } = useWorkspace()
  const total = (countOf: (row: Statistics['pairs'][number]) => number) =>
    formatCount(appsAndTypes.reduce((sum, row) => sum + countOf(row), 0))
  const hasRules = appsAndTypes.some(({ rules }) => rules > 0)
  return (
    <Chart
      title="Apps and types"
      name="Apps and types"
      isTable
      summary={summarizeAppsAndTypes(appsAndTypes)}
      data={{
        columns:
          'App,Type,Answers,Positive,Neutral,Negative,Negative share,Low,High,At the deadline,Health,By rules'
            .split(',')
            .map((name) => ({ name })),
        rows: appsAndTypes.map(
          ({ app, type, answers, positive, neutral, negative, timeouts, health, rules }) => [
            app,
            type,
            answers,
            positive,
            neutral,
            negative.count,
            negative.share,
            negative.low,
            negative.high,
            timeouts,
            health,
            rules,
          ],
        ),
      }}
      legend={[
        { fill: fills.positive, label: 'Positive', total: total(({ positive }) => positive) },
        { fill: fills.neutral, label: 'Neutral', total: total(({ neutral }) => neutral) },
        { fill: fills.negative, label: 'Negative', total: total(({ negative }) => negative.count) },
      ]}
    >
      <FiguresTable
        label="Apps and types"
        columns={[
          ['App and type'],
          ['Answers', 'r'],
          ['Mix', 'spare'],
          ['Negative', 'r'],
          ['95 % interval', 'r', 'lesser'],
          ['At the deadline', 'r', 'lesser'],
          ...(hasRules ? [['By rules', 'r', 'lesser'] as const] : []),
          ['Health', 'r'],
        ]}
        hasVerdict
      >
        {appsAndTypes.map(
          ({ app, type, answers, positive, neutral, negative, timeouts, rules, health, analyzedAt }) => (
            <tr key={JSON.stringify([app, type])}>
              <th scope="row">
                <Link
                  className={`link ${chartsStyles.rowName}`}
                  to="/w/$workspaceId/statistics"
                  params={{ workspaceId }}
                  search={{ ...filters, app, type, version: undefined }}
                >
                  <bdi>{bidiSafe(app)}</bdi> / <bdi>{bidiSafe(type)}</bdi>
                </Link>
              </th>
              <td className={chartsStyles.r}>
                <TasksLink
                  count={answers}
                  filters={{ ...filtersOfCountedTasks(filters, { from, to }), app, type }}
                />
              </td>
              <td className={`${chartsStyles.wide} ${chartsStyles.spare}`}>
                {answers > 0 && (
                  <MixBar
                    label={`Positive ${formatCount(positive)}, neutral ${formatCount(neutral)}, negative ${formatCount(negative.count)}`}
                    parts={[
                      { fill: fills.positive, count: positive },
                      { fill: fills.neutral, count: neutral },
                      { fill: fills.negative, count: negative.count },
                    ]}
                  />
                )}
              </td>
              <td className={chartsStyles.r}>{answers > 0 ? formatPercent(negative.share) : '–'}</td>
              <td className={`${chartsStyles.r} ${chartsStyles.lesser}`}>
                {answers > 0 ? formatInterval(negative.low, negative.high) : '–'}
              </td>
              <td className={`${chartsStyles.r} ${chartsStyles.lesser}`}>{formatCount(timeouts)}</td>
              {hasRules && (
                <td className={`${chartsStyles.r} ${chartsStyles.lesser}`}>{formatCount(rules)}</td>
              )}
              <td className={chartsStyles.r}>
                <Health health={health} />
                {health === 'too-few' && (
                  <small className="block text-ink-3">{limits.answersToJudge} needed</small>
                )}
                {analyzedAt !== undefined && (
                  <small className="block text-ink-3">Analyzed {formatShortDay(localDay(analyzedAt))}</small>
                )}
              </td>
            </tr>
          ),
        )}
      </FiguresTable>
    </Chart>
  )
}
