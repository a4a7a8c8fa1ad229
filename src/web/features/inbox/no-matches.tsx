import { Link } from '@tanstack/react-router'
import { pluralize } from '../../lib/count.ts'
import { capOf } from '../../lib/shortcut-table.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { KeyCap } from '../../ui/key-cap.tsx'

type Props = {
  q: string | undefined
  /** The list shows the tasks for this person only, and so many others are open. */
  othersOpen: number | undefined
  onClear: () => void
}

/** Shown when no open task matches the filters or the search. */
export function NoMatches({ q, othersOpen, onClear }: Props) {
  const { workspaceId } = useWorkspace()
  useShortcuts(othersOpen === undefined ? {} : { Enter: onClear })
  return (
    <div className="empty grow">
      <h2>{othersOpen === undefined ? 'No matching open tasks' : 'No open tasks for you'}</h2>
      <p>
        {othersOpen === undefined
          ? 'New tasks that match appear here automatically.'
          : `${pluralize(othersOpen, 'task is', 'tasks are')} open that nobody has assigned to you or your groups.`}
      </p>
      <p className="above-12 cluster centred">
        <button type="button" className="btn" onClick={onClear}>
          Show all open tasks {othersOpen !== undefined && <KeyCap>{capOf('Enter')}</KeyCap>}
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
