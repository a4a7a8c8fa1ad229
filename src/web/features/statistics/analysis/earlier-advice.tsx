import type { GivenAdvice } from '../../../../contract/feedback-analysis.ts'
import { formatCount } from '../../../lib/count.ts'
import { formatShortDay, localDay } from '../../../lib/days.ts'
import { formatSigned } from '../../../lib/numbers.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { Whisker } from '../../../ui/whisker.tsx'
import { Chart } from '../chart.tsx'
import chartsStyles from '../charts.module.css'
import { FiguresTable } from '../figures-table.tsx'
import { adviceRange, summarizeAdvice } from './describe-result.ts'
import styles from './earlier-advice.module.css'

const results: Record<GivenAdvice['result'], { label: string; className: string }> = {
  worked: { label: 'Worked', className: 'chip pos' },
  'less-than-predicted': { label: 'Less than predicted', className: 'chip' },
  'no-effect-seen': { label: 'No effect seen', className: 'chip' },
  'too-few-answers': { label: 'Too few answers', className: 'chip' },
  'not-tried': { label: 'Not tried', className: 'chip' },
}

/**
 * What became of the advice of earlier analyses: the predicted and the seen change, in negative
 * answers per 30 days.
 */
export function EarlierAdvice({ advice }: { advice: GivenAdvice[] }) {
  const { min, max } = adviceRange(advice)
  return (
    <div className={styles.frame}>
      <Chart
        title="What became of earlier advice"
        name="Earlier advice"
        isTable
        summary={summarizeAdvice(advice)}
        data={{
          columns: 'Given,Finding,Advice,Version then,Followed by,Predicted,Seen,Low,High,Result'
            .split(',')
            .map((name) => ({ name })),
          rows: advice.map((one) => [
            one.givenAt,
            one.title,
            one.advice,
            one.version,
            one.nextVersion ?? null,
            one.predicted,
            one.seen?.change ?? null,
            one.seen?.low ?? null,
            one.seen?.high ?? null,
            results[one.result].label,
          ]),
        }}
      >
        <FiguresTable
          label="Earlier advice"
          hasVerdict
          columns={[
            ['Given', 'spare'],
            ['Finding'],
            ['Followed by', 'lesser'],
            ['Predicted', 'r'],
            ['Seen', 'r'],
            ['Change per 30 days, dashed line: predicted', 'spare'],
            ['Result', 'r'],
          ]}
        >
          {advice.map((one, n) => (
            <AdviceRow key={n} advice={one} min={min} max={max} />
          ))}
        </FiguresTable>
      </Chart>
    </div>
  )
}

type RowProps = { advice: GivenAdvice; min: number; max: number }

function AdviceRow({ advice: { givenAt, title, nextVersion, predicted, seen, result }, min, max }: RowProps) {
  const { label, className } = results[result]
  return (
    <tr>
      <td className={chartsStyles.spare}>{formatShortDay(localDay(givenAt))}</td>
      <th scope="row" className={styles.advice}>
        <bdi>{bidiSafe(title)}</bdi>
      </th>
      <td className={chartsStyles.lesser}>
        {nextVersion === undefined ? (
          result === 'not-tried' ? (
            'no later version'
          ) : (
            'tasks without a version'
          )
        ) : (
          <span className="mono">
            <bdi>{bidiSafe(nextVersion)}</bdi>
          </span>
        )}
      </td>
      <td className={chartsStyles.r}>{formatChange(predicted)}</td>
      <td className={chartsStyles.r}>{seen ? formatChange(seen.change) : '–'}</td>
      <td className={`${chartsStyles.wide} ${chartsStyles.spare}`}>
        {seen && (
          <Whisker
            value={seen.change}
            low={seen.low}
            high={seen.high}
            min={min}
            max={max}
            referenceLine={predicted}
            tone={result === 'worked' ? 'accent' : undefined}
            label={`Seen ${formatChange(seen.change)}, 95 % interval ${formatChange(seen.low)} to ${formatChange(seen.high)}, predicted ${formatChange(predicted)}`}
          />
        )}
      </td>
      <td className={chartsStyles.r}>
        <span className={className}>{label}</span>
      </td>
    </tr>
  )
}

function formatChange(n: number): string {
  return formatSigned(n, formatCount)
}
