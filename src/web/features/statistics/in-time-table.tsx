import { Fragment } from 'react'
import type { Statistics } from '../../../contract/statistics.ts'
import { formatCount } from '../../lib/count.ts'
import { displayName } from '../../lib/display-name.ts'
import { formatInterval, formatPercent } from '../../lib/numbers.ts'
import { useNameOf } from '../../lib/use-members.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Chart } from './chart.tsx'
import chartsStyles from './charts.module.css'
import { FiguresTable } from './figures-table.tsx'
import { summarizeInTime } from './summaries.ts'

type InTime = NonNullable<Statistics['inTime']>
type RowFigures = { name: string; n: number; count: number; late: number; expired?: number } & Pick<
  InTime['tasks'],
  'share' | 'low' | 'high'
>

/** How many tasks with a target time were answered in time: per app and type, per group and per person. */
export function InTimeTable({ inTime }: { inTime: InTime }) {
  const nameOf = useNameOf()
  const { tasks, pairs, groups, people } = inTime
  const sections: { heading: string; rows: RowFigures[] }[] = [
    { heading: 'All', rows: [{ name: 'All tasks', ...tasks }] },
    {
      heading: 'Apps and types',
      rows: pairs.length > 1 ? pairs.map((pair) => ({ name: `${pair.app} / ${pair.type}`, ...pair })) : [],
    },
    { heading: 'Groups', rows: groups },
    {
      heading: 'People',
      rows: people.map(({ person, ...figures }) => ({
        name: displayName(person, nameOf),
        late: figures.n - figures.count,
        ...figures,
      })),
    },
  ]
  return (
    <Chart
      title="Answered in time"
      name="Answered in time"
      isTable
      summary={summarizeInTime(inTime)}
      data={{
        columns: 'Grouped by,Name,Tasks,In time,Late,Deadline passed,Share in time,Low,High'
          .split(',')
          .map((name) => ({ name })),
        rows: sections.flatMap(({ heading, rows }) =>
          rows.map(({ name, n, count, late, expired, share, low, high }) => [
            heading,
            name,
            n,
            count,
            late,
            expired ?? '',
            share,
            low,
            high,
          ]),
        ),
      }}
    >
      <FiguresTable
        label="Answered in time"
        isTall
        columns={[
          ['Tasks of'],
          ['Tasks', 'r'],
          ['In time', 'r'],
          ['95 % interval', 'r', 'lesser'],
          ['Late', 'r'],
          ['Deadline passed', 'r'],
        ]}
      >
        {sections.map(({ heading, rows }) => (
          <Fragment key={heading}>
            {heading !== 'All' && rows.length > 0 && (
              <tr className={chartsStyles.section}>
                <th scope="colgroup" colSpan={6}>
                  {heading}
                </th>
              </tr>
            )}
            {rows.map((row, n) => (
              <InTimeRow key={n} {...row} />
            ))}
          </Fragment>
        ))}
      </FiguresTable>
      <p className="help above-12">
        A task counts for the group it was assigned to when it ended and for every group that its review
        names. Whether a person answered in time depends on when they gave their answer, even if the task
        needed more answers. Time during which a task waited for the agent doesn't count.
      </p>
    </Chart>
  )
}

function InTimeRow({ name, n, share, low, high, late, expired }: RowFigures) {
  return (
    <tr>
      <th scope="row">
        <span className={chartsStyles.rowName}>
          <bdi>{bidiSafe(name)}</bdi>
        </span>
      </th>
      <td className={chartsStyles.r}>{formatCount(n)}</td>
      <td className={chartsStyles.r}>{formatPercent(share)}</td>
      <td className={`${chartsStyles.r} ${chartsStyles.lesser}`}>{formatInterval(low, high)}</td>
      <td className={chartsStyles.r}>{formatCount(late)}</td>
      <td className={chartsStyles.r}>{expired === undefined ? '–' : formatCount(expired)}</td>
    </tr>
  )
}
