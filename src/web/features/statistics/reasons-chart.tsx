import { Link } from '@tanstack/react-router'
import type { Statistics } from '../../../contract/statistics.ts'
import { formatCount, pluralize } from '../../lib/count.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Chart } from './chart.tsx'
import styles from './reasons-chart.module.css'
import { summarizeReasons } from './summaries.ts'

type Details = NonNullable<Statistics['details']>

/** Terms that are frequent in negative feedback, with quotes. */
export function ReasonsChart({ details }: { details: Details }) {
  const { reasons } = details
  const { workspaceId } = useWorkspace()
  return (
    <Chart
      title="Top reasons"
      name="Top reasons"
      summary={summarizeReasons(details)}
      data={{
        columns: ['Words', 'Negative matches', 'Negative texts', 'Other matches', 'Other texts'].map(
          (name) => ({ name }),
        ),
        rows: reasons.map(({ terms, negative, negativeTexts, others, otherTexts }) => [
          terms.join(', '),
          negative,
          negativeTexts,
          others,
          otherTexts,
        ]),
      }}
    >
      <ol className={styles.reasons}>
        {reasons.map(({ terms, negative, negativeTexts, quotes }) => (
          <li key={terms.join()}>
            <p>
              <strong>
                <bdi>{bidiSafe(terms.join(', '))}</bdi>
              </strong>{' '}
              <span className="text-ink-3">
                in {formatCount(negative)} of {pluralize(negativeTexts, 'negative text')}
              </span>
            </p>
            <ul>
              {quotes.map(({ taskId, text }, n) => (
                <li key={n}>
                  “<bdi>{bidiSafe(text)}</bdi>”{' '}
                  <Link
                    className={`link ${styles.taskLink}`}
                    to="/w/$workspaceId/handled/$taskId"
                    params={{ workspaceId, taskId }}
                    aria-label={`Open task ${taskId}`}
                  >
                    Open task
                  </Link>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </Chart>
  )
}
