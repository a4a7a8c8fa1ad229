import type { Statistics } from '../../../contract/statistics.ts'
import { formatCount, pluralize } from '../../lib/count.ts'
import { formatShortDay } from '../../lib/days.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Bars } from './bars.tsx'
import { barsOfDays } from './bars-of-days.ts'
import { Chart } from './chart.tsx'
import { fills, fillsOf } from './fills.tsx'
import { filtersOfCountedTasks } from './range.ts'
import type { StatisticsFilters } from './statistics-filters.ts'
import { summarizeActions } from './summaries.ts'

type Props = { figures: Statistics; filters: StatisticsFilters }

// Width reserved for a version label, as a share of the chart.
const labelWidth = 0.18

/** Answers per action over time, with a line where each version first appeared. */
export function ActionsChart({ figures, filters }: Props) {
  const { actions, answers, from, to, versions } = figures
  const range = { from, to }
  const bars = barsOfDays(figures.days)
  const rest = answers - actions.reduce((sum, action) => sum + action.count, 0)
  const actionFills = fillsOf(actions)
  const series = [
    ...actions.map(({ actionId, title, count }, n) => ({ actionId, title, count, fill: actionFills[n]! })),
    ...(rest > 0 ? [{ actionId: undefined, title: 'Other actions', count: rest, fill: fills.rest }] : []),
  ]
  return (
    <Chart
      title="Answers by action"
      name="Answers by action"
      summary={summarizeActions(figures)}
      data={{
        columns: [
          { name: 'From' },
          { name: 'To' },
          ...series.map(({ title }) => ({ name: title })),
          { name: 'All' },
        ],
        rows: bars.map(({ from, to, values, answers }) => [
          from,
          to,
          ...series.map((_, n) => values[n] ?? 0),
          answers,
        ]),
      }}
      legend={series.map(({ actionId, title, count: total, fill }) => ({
        fill,
        label: <bdi>{bidiSafe(title)}</bdi>,
        total: formatCount(total),
        taskFilters: actionId ? { ...filtersOfCountedTasks(filters, range), action: actionId } : undefined,
      }))}
      taskFilters={filtersOfCountedTasks(filters, range)}
    >
      <Bars
        name="Answers by action"
        series={series.map(({ title, fill }) => ({ name: <bdi>{bidiSafe(title)}</bdi>, fill }))}
        columns={bars.map(({ from, to, label, answers, values }) => ({
          label,
          tick: formatShortDay(from),
          description: [
            `${label}: ${pluralize(answers, 'answer')}`,
            ...series.flatMap(({ title }, n) =>
              values[n] ? [`${formatCount(values[n])} ${escapeBidi(title)}`] : [],
            ),
          ].join(', '),
          values,
          taskFilters: filtersOfCountedTasks(filters, { from, to }),
        }))}
        marks={versionMarks()}
      />
    </Chart>
  )

  /** One line per new version, labelled unless labels would overlap. */
  function versionMarks() {
    let occupiedUntil = 0
    return [...versions]
      .sort((a, b) => (a.firstDay < b.firstDay ? -1 : 1))
      .flatMap(({ version, firstDay }) => {
        const column = bars.findIndex((bar) => firstDay >= bar.from && firstDay <= bar.to)
        // Only later bars get a line: a version of the first bar may be older than the period.
        if (column < 1) return []
        const position = column / bars.length
        // Too close to the right edge: the label is to the left of its line.
        const isLeft = position + labelWidth > 1
        const start = isLeft ? position - labelWidth : position
        if (start < occupiedUntil) return [{ column }]
        occupiedUntil = start + labelWidth
        return [{ column, isLeft, label: <bdi>{bidiSafe(version)}</bdi> }]
      })
  }
}
