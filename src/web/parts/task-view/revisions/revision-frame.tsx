import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { pluralize } from '../../../lib/count.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import conversationStyles from '../conversation/conversation.module.css'
import { ChangedValues } from './changed-value.tsx'
import type { PartChange } from './revision-changes.ts'
import { useRevisionChanges } from './use-revision-changes.ts'

/** What a revision changed, under the message that it came with. */
export function RevisionFrame({ task, revision }: { task: MemberTaskRecord; revision: number }) {
  const changes = useRevisionChanges(task, revision - 1, revision)
  if (!changes) return null
  return (
    <div className={conversationStyles.revision}>
      <div className={conversationStyles.title}>
        <b>
          {/* Nothing is listed if, for example, only the order of the actions changed. */}
          {changes.length === 0
            ? 'The agent revised the task'
            : `The agent changed ${pluralize(changes.length, 'thing')}`}
        </b>
        <span>revision {revision}</span>
      </div>
      {changes.length > 0 && (
        <dl>
          {changes.map((change, n) => (
            <Part key={n} change={change} />
          ))}
        </dl>
      )}
    </div>
  )
}

function Part({ change: { label, values } }: { change: PartChange }) {
  return (
    <div>
      <dt>
        <bdi>{bidiSafe(label)}</bdi>
      </dt>
      {values.length === 0 && <dd>Changed</dd>}
      <ChangedValues values={values} />
    </div>
  )
}
