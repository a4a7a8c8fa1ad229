import type { Statistics } from '../../../contract/statistics.ts'
import { formatCount } from '../../lib/count.ts'
import { formatPercent } from '../../lib/numbers.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Chart } from './chart.tsx'
import chartsStyles from './charts.module.css'
import { FiguresTable } from './figures-table.tsx'
import { summarizeEdits } from './summaries.ts'

type EditCounts = NonNullable<Statistics['edits']>

/**
 * How much people changed in prefilled fields before they answered. The rows are versions, newest
 * first, if the filters choose one app and type and its tasks have versions.
 */
export function EditsTable({ edits, versions }: { edits: EditCounts; versions: Statistics['versions'] }) {
  const edited = versions.flatMap(({ version, edits }) => (edits ? [{ version, edits }] : []))
  const rows = edited.length > 0 ? edited : [{ version: 'All', edits }]
  return (
    <Chart
      title="Edits"
      name="Edits"
      isTable
      summary={summarizeEdits(edits)}
      data={{
        columns: ['Version', 'Unchanged', 'Light', 'Heavy'].map((name) => ({ name })),
        rows: rows.map(({ version, edits: { unchanged, light, heavy } }) => [
          version,
          unchanged,
          light,
          heavy,
        ]),
      }}
    >
      <FiguresTable
        label="Edits"
        columns={[
          ['Version'],
          ['Answers', 'r'],
          ['Unchanged', 'r'],
          ['Light, below 20 %', 'r'],
          ['Heavy', 'r'],
        ]}
      >
        {rows.map(({ version, edits: { unchanged, light, heavy } }) => {
          const total = unchanged + light + heavy
          return (
            <tr key={version}>
              <th scope="row">
                <span className="mono">
                  <bdi>{bidiSafe(version)}</bdi>
                </span>
              </th>
              <td className={chartsStyles.r}>{formatCount(total)}</td>
              {[unchanged, light, heavy].map((count, n) => (
                <td key={n} className={chartsStyles.r}>
                  {formatPercent(count / total)}
                </td>
              ))}
            </tr>
          )
        })}
      </FiguresTable>
    </Chart>
  )
}
