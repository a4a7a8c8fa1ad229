import { Link } from '@tanstack/react-router'
import { formatTotalCount } from '../../lib/count.ts'
import { capOf } from '../../lib/key-caps.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import type { OpenCount } from '../../lib/use-open-count.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { type InboxFilters, isFiltered } from '../../parts/task-list/inbox-filters.ts'
import { KeyCap } from '../../ui/key-cap.tsx'

type Props = {
  filters: InboxFilters
  /** The list is the view "For me". */
  isForMe: boolean
  /** How many tasks are open in the whole inbox. Undefined until it is known. */
  total: OpenCount | undefined
  isTaskDisplayed: boolean
  onClear: () => void
}

/** Shown when no open task matches the filters or the search. */
export default function NoMatches({ filters, isForMe, total, isTaskDisplayed, onClear }: Props) {
  const { q, snoozed, ...others } = filters
  const { workspaceId } = useWorkspace()
  // While a task is displayed, Enter applies to the task.
  const hasShortcut = isForMe && !isTaskDisplayed
  useShortcuts(hasShortcut ? { Enter: onClear } : {})
  const title = isForMe
    ? 'No open tasks for you'
    : !snoozed
      ? 'No matching open tasks'
      : isFiltered({ q, ...others })
        ? 'No matching snoozed tasks'
        : 'No snoozed tasks'
  return (
    <div className="empty grow">
      <h2>{title}</h2>
      {!snoozed && (
        <p>
          {isForMe && total
            ? `${formatTotalCount(total)} ${total.open === 1 ? 'task is' : 'tasks are'} open that nobody has assigned to you or your groups.`
            : 'New tasks that match appear here automatically.'}
        </p>
      )}
      <p className="above-12 cluster centered">
        <button type="button" className="btn" onClick={onClear}>
          Show all open tasks {hasShortcut && <KeyCap>{capOf('Enter')}</KeyCap>}
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
