import type { Statistics } from '../../../contract/statistics.ts'
import { plain } from '../../lib/plain-text.ts'
import { visible } from '../../ui/visible-text.tsx'
import { Chart } from './chart.tsx'
import { ScrollBox } from './chart-table.tsx'
import chartsStyles from './charts.module.css'
import { ColumnHeads } from './column-heads.tsx'
import { count, interval, percent } from './numbers.ts'
import { countedTasks } from './range.ts'
import { comparisonResult, positionResult } from './results.ts'
import type { StatisticsFilters } from './statistics-filters.ts'
import { Whisker } from './whisker.tsx'

type Comparison = NonNullable<Statistics['details']>['comparisons'][number]
type Props = { comparison: Comparison; figures: Statistics; filters: StatisticsFilters }

const minDecisions = 10

/** Win rates of the candidates, and whether the first position is preferred regardless. */
export function ComparisonChart({ comparison, figures: { from, to }, filters }: Props) {
  const { field, candidates, position } = comparison
  return (
    <Chart
      title={
        <>
          Win rates{' '}
          <small>
            in <bdi>{visible(field)}</bdi>
          </small>
        </>
      }
      name={`Win rates in ${plain(field)}`}
      result={`${comparisonResult(comparison)} ${positionResult(position)}`}
      isTable
      data={{
        columns: 'Candidate,Wins,Decisions,Win rate,Low,High,By chance'.split(',').map((name) => ({ name })),
        rows: candidates.map(({ name, count, n, share, low, high, expected }) => [
          ...[name, count, n, share, low, high, expected],
        ]),
      }}
      tasks={countedTasks(filters, { from, to })}
    >
      <ScrollBox label="Win rates">
        <table className={chartsStyles.figuresTable}>
          <ColumnHeads
            of={[
              ['Candidate'],
              ['Wins', 'r'],
              ['Win rate', 'r'],
              ['95 % interval, line at chance', 'wide', 'spare'],
              ['By chance', 'r', 'lesser'],
            ]}
          />
          <tbody>
            {candidates.map(({ name, count: wins, n, share, low, high, expected }) => (
              <tr key={name} className={n < minDecisions ? chartsStyles.thin : undefined}>
                <th scope="row">
                  <bdi>{visible(name)}</bdi>
                </th>
                <td className={chartsStyles.r}>
                  {count(wins)} of {count(n)}
                </td>
                <td className={chartsStyles.r}>{percent(share)}</td>
                <td className={`${chartsStyles.wide} ${chartsStyles.spare}`}>
                  <Whisker
                    {...{ share, low, high }}
                    top={1}
                    line={expected}
                    tone={n < minDecisions ? 'few' : undefined}
                    label={`${percent(share)}, 95 % interval ${interval(low, high)}`}
                  />
                </td>
                <td className={`${chartsStyles.r} ${chartsStyles.lesser}`}>
                  {n < minDecisions ? 'Not enough data' : percent(expected)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </Chart>
  )
}
