import { Link } from '@tanstack/react-router'
import { formatCount } from '../../lib/count.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import type { HandledFilters } from '../../parts/task-list/handled-filters.ts'

/** A number of tasks that links to their list. */
export function TasksLink({ answers, tasks }: { answers: number; tasks: HandledFilters }) {
  const { workspaceId } = useWorkspace()
  return (
    <Link className="link" to="/w/$workspaceId/handled" params={{ workspaceId }} search={tasks}>
      {formatCount(answers)}
      <span className="sr-only"> tasks</span>
    </Link>
  )
}
