import { Link } from '@tanstack/react-router'
import type { TaskPair } from '../../../../contract/feedback-analysis.ts'
import { pluralize } from '../../../lib/count.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import styles from './similar-tasks.module.css'

type Side = 'negative' | 'positive'
const chips = {
  negative: { tone: 'chip neg', label: 'Negative' },
  positive: { tone: 'chip pos', label: 'Positive' },
}
const maxDifferences = 6

/** A task with a negative answer beside the most similar one with a positive answer, and what differs. */
export function SimilarTasks({ pair }: { pair: TaskPair }) {
  return (
    <div className={styles.tasks}>
      <SimilarTask pair={pair} side="negative" />
      <SimilarTask pair={pair} side="positive" />
    </div>
  )
}

function SimilarTask({ pair, side }: { pair: TaskPair; side: Side }) {
  const { workspaceId } = useWorkspace()
  const { taskId, name } = pair[side]
  const { tone, label } = chips[side]
  const more = pair.differences.length - maxDifferences
  return (
    <div>
      <h4>
        <span className={tone}>{label}</span>
        <Link className={styles.name} to="/w/$workspaceId/handled/$taskId" params={{ workspaceId, taskId }}>
          <bdi>{bidiSafe(name)}</bdi>
        </Link>
      </h4>
      {pair.differences.length === 0 ? (
        <p>No field differs.</p>
      ) : (
        <dl>
          {pair.differences.slice(0, maxDifferences).map((difference) => {
            const value = difference[side]
            return (
              <div key={difference.field}>
                <dt>
                  <bdi>{bidiSafe(difference.field)}</bdi>
                </dt>{' '}
                <dd>
                  <mark>{value === null ? 'not set' : <bdi>{bidiSafe(value)}</bdi>}</mark>
                </dd>
              </div>
            )
          })}
        </dl>
      )}
      {more > 0 && <p>and {pluralize(more, 'more field')}</p>}
    </div>
  )
}
