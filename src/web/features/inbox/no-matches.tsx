import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../lib/workspace.ts'

/** Shown when no open task matches the filters or the search. */
export function NoMatches({ q, onClear }: { q: string | undefined; onClear: () => void }) {
  const { workspaceId } = useWorkspace()
  return (
    <div className="empty grow">
      <h2>No matching open tasks</h2>
      <p>New tasks that match appear here automatically.</p>
      <p className="above-12 cluster centred">
        <button type="button" className="btn" onClick={onClear}>
          Show all open tasks
        </button>
        {q !== undefined && (
          <Link className="btn" to="/w/$workspaceId/handled" params={{ workspaceId }} search={{ q }}>
            Search handled tasks
          </Link>
        )}
      </p>
    </div>
  )
}
