import { Link } from '@tanstack/react-router'
import type { Statistics } from '../../../contract/statistics.ts'
import { useWorkspace } from '../../lib/person.ts'
import { visible } from '../../ui/visible-text.tsx'
import { Chart } from './chart.tsx'
import { count } from './numbers.ts'
import styles from './reasons-chart.module.css'
import { reasonsResult } from './results.ts'

type Details = NonNullable<Statistics['details']>

/** Terms that are frequent in negative feedback, with quotes. */
export function ReasonsChart({ details }: { details: Details }) {
  const { reasons } = details
  const { workspaceId } = useWorkspace()
  return (
    <Chart
      title="Top reasons"
      name="Top reasons"
      result={reasonsResult(details)}
      data={{
        columns: ['Words', 'Negative matches', 'Negative texts', 'Other matches', 'Other texts'].map(
          (name) => ({ name }),
        ),
        rows: reasons.map(({ terms, negative, negativeTexts, others, otherTexts }) => [
          ...[terms.join(', '), negative, negativeTexts, others, otherTexts],
        ]),
      }}
    >
      <ol className={styles.reasons}>
        {reasons.map(({ terms, negative, negativeTexts, quotes }) => (
          <li key={terms.join()}>
            <p>
              <strong>
                <bdi>{visible(terms.join(', '))}</bdi>
              </strong>{' '}
              <span className="text-ink-3">
                in {count(negative)} of {count(negativeTexts)}
              </span>
            </p>
            <ul>
              {quotes.map(({ taskId, text }) => (
                <li key={taskId}>
                  “<bdi>{visible(text)}</bdi>”{' '}
                  <Link
                    className={`link ${styles.evidence}`}
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
