import type { Statistics } from '../../../contract/statistics.ts'
import { formatCount } from '../../lib/count.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { formatNumber, formatPercent } from '../../lib/numbers.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Chart } from './chart.tsx'
import { fills } from './fills.tsx'
import styles from './form-question-chart.module.css'
import { MixBar } from './mix-bar.tsx'
import { filtersOfCountedTasks } from './range.ts'
import type { StatisticsFilters } from './statistics-filters.ts'
import { summarizeFormQuestion } from './summaries.ts'

type FormQuestion = NonNullable<Statistics['details']>['questions'][number]
type Props = { question: FormQuestion; figures: Statistics; filters: StatisticsFilters }

/** What people entered in one field of a form, which the API calls a question. */
export function FormQuestionChart({ question, figures: { from, to }, filters }: Props) {
  const { actionId, actionTitle, title, answers, choices, numbers } = question
  return (
    <Chart
      title={
        <>
          <bdi>{bidiSafe(title)}</bdi>{' '}
          <small>
            in “<bdi>{bidiSafe(actionTitle)}</bdi>”
          </small>
        </>
      }
      name={escapeBidi(title)}
      summary={summarizeFormQuestion(question)}
      data={
        choices
          ? {
              columns: [{ name: 'Answer' }, { name: 'Count' }, { name: 'Share', format: formatPercent }],
              rows: choices.map(({ label, count }) => [label, count, count / answers]),
            }
          : {
              columns: ['Lowest', 'Median', 'Mean', 'Highest', 'Answers'].map((name) => ({
                name,
                format: formatNumber,
              })),
              rows: numbers ? [[numbers.lowest, numbers.median, numbers.mean, numbers.highest, answers]] : [],
            }
      }
      taskFilters={{ ...filtersOfCountedTasks(filters, { from, to }), action: actionId }}
    >
      {choices && (
        <ul className={styles.rowsOfBars}>
          {choices.map(({ label, count: chosenCount }, n) => (
            <li key={n}>
              <bdi>{bidiSafe(label)}</bdi>
              <MixBar
                label={formatPercent(chosenCount / answers)}
                parts={[
                  { fill: fills.positive, count: chosenCount },
                  { fill: unchosenFill, count: answers - chosenCount },
                ]}
              />
              <b>{formatCount(chosenCount)}</b>
            </li>
          ))}
        </ul>
      )}
      {numbers && (
        <dl className={styles.numbersOf}>
          {(['lowest', 'median', 'mean', 'highest'] as const).map((name) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{formatNumber(numbers[name])}</dd>
            </div>
          ))}
        </dl>
      )}
    </Chart>
  )
}

/** The rest of a bar: answers that did not choose the option. */
const unchosenFill = { id: 'fill-empty', color: 'var(--fill)', pattern: 'solid' as const }
