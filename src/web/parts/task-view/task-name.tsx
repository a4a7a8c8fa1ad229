import type { TaskRecord } from '../../../contract/task.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import styles from './task-name.module.css'

/** Renders no `bdi`, because its container sets `dir="auto"`, which ignores text inside one. */
export function TaskName({ task }: { task: TaskRecord }) {
  if (task.contentDeletedAt) return <span className={styles.deleted}>Content deleted</span>
  return bidiSafe(task.name)
}
