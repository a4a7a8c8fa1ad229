import { Link } from '@tanstack/react-router'
import { CornerDownRight } from 'lucide-react'
import { limits } from '../../../../contract/limits.ts'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { PriorityMark } from '../../../ui/priority-mark.tsx'
import styles from './thread-tasks.module.css'

/** Links to the other tasks of the thread that wait for people, in the order of the inbox. */
export function ThreadTasks({ tasks = [] }: { tasks: MemberTaskRecord['threadTasks'] }) {
  if (tasks.length === 0) return null
  return (
    <nav className={styles.threadTasks} aria-label="Other open tasks of this thread">
      <span>
        <Icon of={CornerDownRight} />
        Also open in this thread:
      </span>
      {/* The list has one task more than is shown, to tell whether there are more. */}
      {tasks.slice(0, limits.threadTasks - 1).map(({ taskId, name, priority }) => (
        <Link key={taskId} to="." params={(params: object) => ({ ...params, taskId })} search={true}>
          <PriorityMark priority={priority} hasLabel />
          <bdi>{bidiSafe(name)}</bdi>
        </Link>
      ))}
      {tasks.length === limits.threadTasks && <span>and more</span>}
    </nav>
  )
}
