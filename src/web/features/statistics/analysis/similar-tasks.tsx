import { Link } from '@tanstack/react-router'
import type { TaskPair } from '../../../../contract/feedback-analysis.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import styles from './similar-tasks.module.css'

type Side = 'negative' | 'positive'
const chips = {
  negative: { className: 'chip neg', label: 'Negative' },
  positive: { className: 'chip pos', label: 'Positive' },
}

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
  const { className, label } = chips[side]
  return (
    <div>
      <h4>
        <span className={className}>{label}</span>
        <Link className={styles.name} to="/w/$workspaceId/handled/$taskId" params={{ workspaceId, taskId }}>
          <bdi>{bidiSafe(name)}</bdi>
        </Link>
      </h4>
      {pair.differences.length === 0 ? (
        <p>No field differs.</p>
      ) : (
        <dl>
          {pair.differences.map((difference) => {
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
    </div>
  )
}
