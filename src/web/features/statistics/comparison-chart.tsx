import type { Statistics } from '../../../contract/statistics.ts'
import { formatCount } from '../../lib/count.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { formatInterval, formatPercent } from '../../lib/numbers.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Whisker } from '../../ui/whisker.tsx'
import { Chart } from './chart.tsx'
import chartsStyles from './charts.module.css'
import { FiguresTable } from './figures-table.tsx'
import { filtersOfCountedTasks } from './range.ts'
import type { StatisticsFilters } from './statistics-filters.ts'
import { minDecisions, summarizeComparison, summarizePositionBias } from './summaries.ts'

type Comparison = NonNullable<Statistics['details']>['comparisons'][number]
type Props = { comparison: Comparison; figures: Statistics; filters: StatisticsFilters }

/** Win rates of the candidates, and whether people prefer the first position, whatever it shows. */
export function ComparisonChart({ comparison, figures: { from, to }, filters }: Props) {
  const { field, candidates, position } = comparison
  return (
    <Chart
      title={
        <>
          Win rates{' '}
          <small>
            in <bdi>{bidiSafe(field)}</bdi>
          </small>
        </>
      }
      name={`Win rates in ${escapeBidi(field)}`}
      summary={`${summarizeComparison(comparison)} ${summarizePositionBias(position)}`}
      isTable
      data={{
        columns: 'Candidate,Wins,Decisions,Win rate,Low,High,By chance'.split(',').map((name) => ({ name })),
        rows: candidates.map(({ name, count, n, share, low, high, expected }) => [
          name,
          count,
          n,
          share,
          low,
          high,
          expected,
        ]),
      }}
      taskFilters={filtersOfCountedTasks(filters, { from, to })}
    >
      <FiguresTable
        label="Win rates"
        columns={[
          ['Candidate'],
          ['Wins', 'r'],
          ['Win rate', 'r'],
          ['95 % interval, line at chance', 'spare'],
          ['By chance', 'r', 'lesser'],
        ]}
      >
        {candidates.map(({ name, count, n, share, low, high, expected }) => (
          <tr key={name} className={n < minDecisions ? chartsStyles.thin : undefined}>
            <th scope="row">
              <bdi>{bidiSafe(name)}</bdi>
            </th>
            <td className={chartsStyles.r}>
              {formatCount(count)} of {formatCount(n)}
            </td>
            <td className={chartsStyles.r}>
              {formatPercent(share)}
              {n < minDecisions && <span className={chartsStyles.note}>Too few decisions</span>}
            </td>
            <td className={`${chartsStyles.wide} ${chartsStyles.spare}`}>
              <Whisker
                value={share}
                low={low}
                high={high}
                max={1}
                referenceLine={expected}
                tone={n < minDecisions ? 'few' : undefined}
                label={`${formatPercent(share)}, 95 % interval ${formatInterval(low, high)}`}
              />
            </td>
            <td className={`${chartsStyles.r} ${chartsStyles.lesser}`}>{formatPercent(expected)}</td>
          </tr>
        ))}
      </FiguresTable>
    </Chart>
  )
}
