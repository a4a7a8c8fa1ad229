import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../lib/person.ts'
import type { HistoryFilters } from '../../parts/task-list/handled-filters.ts'
import { count } from './numbers.ts'

/** A number of answered tasks that leads to them. */
export function TasksLink({ answers, tasks }: { answers: number; tasks: HistoryFilters }) {
  const { workspaceId } = useWorkspace()
  return (
    <Link className="link" to="/w/$workspaceId/handled" params={{ workspaceId }} search={tasks}>
      {count(answers)}
      <span className="sr-only"> tasks</span>
    </Link>
  )
}
