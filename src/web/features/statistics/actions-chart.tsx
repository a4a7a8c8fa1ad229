import type { Statistics } from '../../../contract/statistics.ts'
import { shortDay } from '../../lib/days.ts'
import { plain } from '../../lib/plain-text.ts'
import { visible } from '../../ui/visible-text.tsx'
import { Bars } from './bars.tsx'
import { Chart } from './chart.tsx'
import { fills, fillsOf } from './fills.tsx'
import { count, counted } from './numbers.ts'
import { periodsOf } from './periods.ts'
import { tasksBehind } from './range.ts'
import { actionsResult } from './results.ts'
import type { StatisticsFilters } from './statistics-filters.ts'

type Props = { figures: Statistics; filters: StatisticsFilters }

// What the name of a version may take, as a share of the width.
const nameWidth = 0.18

/** What was chosen, day by day, with lines where a version came. */
export function ActionsChart({ figures, filters }: Props) {
  const { actions, answers, from, to, versions } = figures
  const range = { from, to }
  const periods = periodsOf(figures.days)
  const rest = answers - actions.reduce((sum, action) => sum + action.count, 0)
  const drawn = fillsOf(actions)
  const series = [
    ...actions.map(({ actionId, title, count }, n) => ({ actionId, title, count, fill: drawn[n]! })),
    ...(rest > 0 ? [{ actionId: undefined, title: 'Other actions', count: rest, fill: fills.rest }] : []),
  ]
  return (
    <Chart
      title="Answers by action"
      name="Answers by action"
      result={actionsResult(figures)}
      data={{
        columns: [
          { name: 'From' },
          { name: 'To' },
          ...series.map(({ title }) => ({ name: title })),
          { name: 'All' },
        ],
        rows: periods.map((period) => [
          period.from,
          period.to,
          ...series.map((_, n) => period.values[n] ?? 0),
          period.answers,
        ]),
      }}
      legend={series.map(({ actionId, title, count: total, fill }) => ({
        fill,
        words: <bdi>{visible(title)}</bdi>,
        total: count(total),
        tasks: actionId ? { ...tasksBehind(filters, range), action: actionId } : undefined,
      }))}
      tasks={tasksBehind(filters, range)}
    >
      <Bars
        name="Answers by action"
        series={series.map(({ title, fill }) => ({ name: <bdi>{visible(title)}</bdi>, fill }))}
        columns={periods.map(({ from, to, label, answers, values }) => ({
          label,
          tick: shortDay(from),
          words: [
            `${label}: ${counted(answers, 'answer')}`,
            ...series.flatMap(({ title }, n) => (values[n] ? [`${count(values[n])} ${plain(title)}`] : [])),
          ].join(', '),
          values,
          tasks: tasksBehind(filters, { from, to }),
        }))}
        marks={releases()}
      />
    </Chart>
  )

  /** A line for each version that came; its name where it does not lie over another. */
  function releases() {
    let takenTo = 0
    return [...versions]
      .sort((a, b) => (a.firstDay < b.firstDay ? -1 : 1))
      .flatMap(({ version, firstDay }) => {
        const column = periods.findIndex((period) => firstDay >= period.from && firstDay <= period.to)
        // What was there from the beginning did not come in this time.
        if (column < 1) return []
        const at = column / periods.length
        const isLeft = at + nameWidth > 1
        const start = isLeft ? at - nameWidth : at
        if (start < takenTo) return [{ column }]
        takenTo = start + nameWidth
        return [{ column, isLeft, words: <bdi>{visible(version)}</bdi> }]
      })
  }
}
