import type { Statistics } from '../../../contract/statistics.ts'
import { formatCount } from '../../lib/count.ts'
import { displayName } from '../../lib/display-name.ts'
import { formatInterval, formatPercent } from '../../lib/numbers.ts'
import { useNameOf } from '../../lib/use-members.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Chart } from './chart.tsx'
import chartsStyles from './charts.module.css'
import { FiguresTable } from './figures-table.tsx'
import { summarizeAgreement } from './summaries.ts'

export type Agreement = NonNullable<NonNullable<Statistics['details']>['agreement']>

/**
 * Agreement between people who answered the same task without seeing each other's answers: on the
 * action, on each choice field, and of each person with the majority.
 */
export function AgreementTable({ agreement }: { agreement: Agreement }) {
  const nameOf = useNameOf()
  const { action, fields, people } = agreement
  const rows = [
    { name: 'On the action', ...action },
    ...fields.map(({ title, actionTitle, ...agreed }) => ({
      name: `On ${title}, in “${actionTitle}”`,
      ...agreed,
    })),
    ...people.map(({ person, ...agreed }) => ({
      name: `${displayName(person, nameOf)} with the majority`,
      ...agreed,
      alpha: undefined,
    })),
  ]
  return (
    <Chart
      title="Agreement"
      name="Agreement"
      isTable
      summary={summarizeAgreement(action)}
      data={{
        columns: ['Agreement', 'Tasks', 'Agreed', 'Share', "Krippendorff's alpha"].map((name) => ({
          name,
        })),
        rows: rows.map(({ name, n, count, share, alpha }) => [name, n, count, share, alpha ?? '']),
      }}
    >
      <FiguresTable
        label="Agreement"
        columns={[['Agreement'], ['Tasks', 'r'], ['Share', 'r'], ['95 % interval', 'r'], ['Alpha', 'r']]}
      >
        {rows.map(({ name, n, share, low, high, alpha }, index) => (
          <tr key={index}>
            <th scope="row">
              <bdi>{bidiSafe(name)}</bdi>
            </th>
            <td className={chartsStyles.r}>{formatCount(n)}</td>
            <td className={chartsStyles.r}>{formatPercent(share)}</td>
            <td className={chartsStyles.r}>{formatInterval(low, high)}</td>
            <td className={chartsStyles.r}>
              {alpha === undefined || alpha === null ? '–' : alpha.toFixed(2)}
            </td>
          </tr>
        ))}
      </FiguresTable>
    </Chart>
  )
}
