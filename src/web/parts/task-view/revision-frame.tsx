import type { MemberTaskRecord } from '../../../contract/task.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { ChangedValue } from './changed-value.tsx'
import styles from './conversation.module.css'
import type { PartChange } from './revision-changes.ts'
import { useRevisionChanges } from './use-revision-changes.ts'

const maxValuesPerPart = 20

/** What a revision changed, under the message that it came with. */
export function RevisionFrame({ task, revision }: { task: MemberTaskRecord; revision: number }) {
  const changes = useRevisionChanges(task, revision - 1, revision)
  if (!changes) return null
  return (
    <div className={styles.revision}>
      <div className={styles.title}>
        <b>The agent changed {countedThings(changes.length)}</b>
        <span>revision {revision}</span>
      </div>
      <dl>
        {changes.map((change, n) => (
          <Part key={n} change={change} />
        ))}
      </dl>
    </div>
  )
}

export function countedThings(count: number): string {
  return count === 1 ? '1 thing' : `${count} things`
}

function Part({ change: { label, values } }: { change: PartChange }) {
  const rest = values.length - maxValuesPerPart
  return (
    <div>
      <dt>
        <bdi>{bidiSafe(label)}</bdi>
      </dt>
      {values.length === 0 && <dd className={styles.more}>Changed</dd>}
      {values.slice(0, maxValuesPerPart).map(({ path, before, after }, n) => (
        <dd key={n}>
          {path.length > 0 && <span className={styles.path}>{bidiSafe(path.join(' › '))}: </span>}
          <ChangedValue before={before} after={after} />
        </dd>
      ))}
      {rest > 0 && <dd className={styles.more}>And {rest.toLocaleString()} more</dd>}
    </div>
  )
}
