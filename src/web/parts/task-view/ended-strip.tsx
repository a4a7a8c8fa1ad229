import type { Draft } from '../../../contract/inbox.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import { pluralize } from '../../lib/count.ts'
import { displayName } from '../../lib/display-name.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { formatWhen } from '../../lib/time.ts'
import { type NameOf, useNameOf } from '../../lib/use-members.ts'
import { useNow } from '../../lib/use-now.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Strip } from '../../ui/strip.tsx'

/** Shown when the task ended elsewhere, to a person who saw it open or has a draft. */
export default function EndedStrip({
  task,
  drafts,
  onNext,
}: {
  task: TaskRecord
  drafts: Draft[]
  onNext: (() => void) | undefined
}) {
  const { me } = useWorkspace()
  const now = useNow()
  const nameOf = useNameOf()
  const draft = drafts.at(-1)
  const action = draft ? (
    <CopyButton className="btn small" confirmation="text" text={() => JSON.stringify(draft.data, null, 2)}>
      Copy draft
    </CopyButton>
  ) : (
    onNext && (
      <button type="button" className="btn small" onClick={onNext}>
        Next task
      </button>
    )
  )
  return (
    <Strip tone="info" isAnnounced action={action}>
      {describeEnd(task, me.person.email, nameOf, now)}
      {draft && ' You can copy your draft.'}
    </Strip>
  )
}

function describeEnd(task: TaskRecord, myEmail: string, nameOf: NameOf, now: number): string {
  const { handled, cancelled } = task
  if (handled?.decidedBy === 'timeout') return "The deadline passed, so the agent's default answer was used."
  if (handled) {
    const { handledBy, answers = [] } = handled
    // A fixed time, because screen readers would announce “2 min ago” whenever it changes.
    const result = `“${escapeBidi(handled.actionTitle)}” ${formatWhen(handled.handledAt, now)}.`
    // `handledBy` names only one of the people who answered, and not always the last.
    if (answers.length > 1)
      return `${pluralize(answers.length, 'person', 'people')} answered. Result: ${result}`
    const by = handledBy === myEmail ? 'You' : escapeBidi(displayName(handledBy, nameOf))
    return `${by} answered ${result}`
  }
  if (cancelled) {
    return cancelled.reason
      ? `This task was cancelled: “${escapeBidi(cancelled.reason)}”.`
      : 'This task was cancelled.'
  }
  return 'The deadline of this task has passed.'
}
