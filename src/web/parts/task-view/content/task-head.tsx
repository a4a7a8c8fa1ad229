import { Radio } from 'lucide-react'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { displayName } from '../../../lib/display-name.ts'
import { pushLabel } from '../../../lib/push-label.ts'
import { formatAgo, formatFullDate } from '../../../lib/time.ts'
import { useNameOf } from '../../../lib/use-members.ts'
import { useNow } from '../../../lib/use-now.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { PriorityMark, priorityLabels } from '../../../ui/priority-mark.tsx'
import taskStyles from '../task.module.css'
import { TaskName } from '../task-name.tsx'
import { useClaim } from '../team/use-claim.ts'
import { AnswerByLine, DeadlineLine } from './deadline-line.tsx'
import styles from './task-head.module.css'
import { ThreadTasks } from './thread-tasks.tsx'

export function TaskHead({ task }: { task: MemberTaskRecord }) {
  const { me } = useWorkspace()
  const nameOf = useNameOf()
  const now = useNow()
  const isOpen = task.status === 'open'
  const claim = useClaim(task.taskId, isOpen)
  const pushed = pushLabel(task)
  return (
    <div className={`${taskStyles.sectionDot} ${taskStyles.first}`}>
      <h1 dir="auto">
        <TaskName task={task} />
      </h1>
      <div className={styles.facts}>
        <span>
          <PriorityMark priority={task.priority} />
          {priorityLabels[task.priority]}
        </span>
        {isOpen && pushed && (
          <span>
            <Icon of={Radio} className="text-accent-ink" />
            {pushed}
          </span>
        )}
        {isOpen && task.assignedTo && (
          <span title={task.assignedTo}>
            Assigned to <bdi>{bidiSafe(displayName(task.assignedTo, nameOf, me.person.email))}</bdi>
          </span>
        )}
        <time dateTime={task.createdAt} title={formatFullDate(task.createdAt)}>
          {formatAgo(task.createdAt, now)}
        </time>
        {task.version && (
          <span>
            Version <bdi>{bidiSafe(task.version)}</bdi>
          </span>
        )}
        <CopyButton className="mono" text={() => task.taskId}>
          <span title={task.taskId} aria-hidden="true">
            {task.taskId.slice(0, 10)}…{task.taskId.slice(-5)}
          </span>
          <span className="sr-only">Copy ID {task.taskId}</span>
        </CopyButton>
        {isOpen && claim && claim.userId !== me.person.userId && (
          <span>
            <Avatar name={claim.name} />
            <span>
              <bdi>{bidiSafe(claim.name)}</bdi> is viewing this task
            </span>
          </span>
        )}
      </div>
      {isOpen && task.answerBy && <AnswerByLine answerBy={task.answerBy} now={now} />}
      {isOpen && task.expiresAt && <DeadlineLine task={task} expiresAt={task.expiresAt} now={now} />}
      <ThreadTasks tasks={task.threadTasks} />
      {!task.contentDeletedAt && (
        <p className={styles.description} dir="auto">
          {bidiSafe(task.description)}
        </p>
      )}
    </div>
  )
}
