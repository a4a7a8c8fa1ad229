import type { TaskRecord } from '../../../contract/task.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import styles from './task-name.module.css'

/**
 * The name of a task. Renders no `bdi`, because its container sets `dir="auto"`, which ignores text
 * inside a `bdi`.
 */
export function TaskName({ task }: { task: TaskRecord }) {
  if (task.contentDeletedAt) return <span className={styles.deleted}>Content deleted</span>
  return bidiSafe(task.name)
}
