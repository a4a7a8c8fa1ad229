import type { TaskRecord } from '../../../contract/task.ts'
import { visible } from '../../ui/visible-text.tsx'

export function TaskName({ task }: { task: TaskRecord }) {
  if (task.contentDeletedAt) return <span className="deleted">Content deleted</span>
  return <bdi>{visible(task.name)}</bdi>
}
