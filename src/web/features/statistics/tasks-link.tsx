import { Link } from '@tanstack/react-router'
import { formatCount } from '../../lib/count.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import type { HandledFilters } from '../../parts/task-list/handled-filters.ts'

/** A count of answers by people that links to the Handled page with `filters`. */
export function TasksLink({ count, filters }: { count: number; filters: HandledFilters }) {
  const { workspaceId } = useWorkspace()
  return (
    <Link className="link" to="/w/$workspaceId/handled" params={{ workspaceId }} search={filters}>
      {formatCount(count)}
      <span className="sr-only">{count === 1 ? ' answer' : ' answers'}</span>
    </Link>
  )
}
