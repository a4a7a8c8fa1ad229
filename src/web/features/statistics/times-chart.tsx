import type { Statistics } from '../../../contract/statistics.ts'
import { pluralize } from '../../lib/count.ts'
import { formatShortSeconds } from '../../lib/numbers.ts'
import { Bars } from './bars.tsx'
import { Chart } from './chart.tsx'
import { fills } from './fills.tsx'
import { filtersOfCountedTasks } from './range.ts'
import type { StatisticsFilters } from './statistics-filters.ts'
import { summarizeTimes } from './summaries.ts'

// Fewer bars would be so wide that the chart looks like a block.
const minBars = 8

type Props = { figures: Statistics; filters: StatisticsFilters }

/** Histogram of the time to answer. Each bar ends at twice the time at which the previous one ends. */
export function TimesChart({ figures, filters }: Props) {
  const { timesToAnswer, from, to } = figures
  const bars = withEmptyBars(timesToAnswer)
  const between = (fromSeconds: number, toSeconds: number) =>
    fromSeconds === 0
      ? `under ${formatShortSeconds(toSeconds)}`
      : `${formatShortSeconds(fromSeconds)} to ${formatShortSeconds(toSeconds)}`
  return (
    <Chart
      title="Time to answer"
      name="Time to answer"
      summary={summarizeTimes(figures)}
      data={{
        columns: [{ name: 'From (seconds)' }, { name: 'To (seconds)' }, { name: 'Answers' }],
        rows: timesToAnswer.map(({ fromSeconds, toSeconds, count }) => [
          Math.round(fromSeconds),
          Math.round(toSeconds),
          count,
        ]),
      }}
      taskFilters={filtersOfCountedTasks(filters, { from, to })}
    >
      <Bars
        name="Time to answer"
        series={[{ name: 'Answers', fill: fills.positive }]}
        columns={bars.map(({ fromSeconds, toSeconds, count }) => {
          const label = between(fromSeconds, toSeconds)
          return { label, description: `${label}: ${pluralize(count, 'answer')}`, values: [count] }
        })}
        edges={[...bars.map(({ fromSeconds }) => fromSeconds), bars.at(-1)?.toSeconds ?? 0].map((edge) =>
          edge === 0 ? '0' : formatShortSeconds(edge),
        )}
      />
    </Chart>
  )
}

function withEmptyBars(times: Statistics['timesToAnswer']): Statistics['timesToAnswer'] {
  const bars = [...times]
  for (let last = bars.at(-1); last && bars.length < minBars; last = bars.at(-1))
    bars.push({ fromSeconds: last.toSeconds, toSeconds: last.toSeconds * 2, count: 0 })
  return bars
}
