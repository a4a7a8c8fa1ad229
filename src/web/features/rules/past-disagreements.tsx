import { Link } from '@tanstack/react-router'
import type { Backtest } from '../../../contract/rules/rule.ts'
import { displayName } from '../../lib/display-name.ts'
import { formatFullDate, formatTime } from '../../lib/time.ts'
import { useNameOf } from '../../lib/use-members.ts'
import { useNow } from '../../lib/use-now.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import styles from './past-disagreements.module.css'

/** Past tasks that people answered differently from the rule, or that the agent had revised. */
export function PastDisagreements({ id, tasks }: { id: string; tasks: Backtest['disagreements'] }) {
  const { workspaceId } = useWorkspace()
  const nameOf = useNameOf()
  const now = useNow()
  return (
    <ul className={styles.list} id={id} aria-label="Disagreements">
      {tasks.map(({ taskId, name, at, actionTitle, handledBy, version }) => (
        <li key={taskId}>
          <Link className="link" to="/w/$workspaceId/handled/$taskId" params={{ workspaceId, taskId }}>
            <bdi>{bidiSafe(name || 'Content deleted')}</bdi>
          </Link>
          <p>
            {handledBy ? <bdi>{bidiSafe(displayName(handledBy, nameOf))}</bdi> : 'Someone'} answered
            {actionTitle !== undefined && (
              <>
                {' “'}
                <bdi>{bidiSafe(actionTitle)}</bdi>”
              </>
            )}
            ,{' '}
            <time dateTime={at} title={formatFullDate(at)}>
              {formatTime(at, now)}
            </time>
            {version && (
              <>
                , version <bdi>{bidiSafe(version)}</bdi>
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  )
}
