import type { AuditEntry } from '../../../contract/audit.ts'
import { formatTimeAndYear } from '../../lib/dates.ts'
import { displayName } from '../../lib/display-name.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { formatFullDate } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { describeAction } from './audit-action-labels.ts'
import { describeDetails } from './audit-details.ts'
import auditPageStyles from './audit-page.module.css'

export function AuditRow({ entry, onSubject }: { entry: AuditEntry; onSubject: () => void }) {
  const now = useNow()
  const { actor, subject, details } = entry
  const actorName =
    actor === 'service' ? nameWithoutAccount(entry) : (entry.actorName ?? nameOfDeleted(actor))
  const subjectName = entry.subjectName ?? nameOfDeleted(subject)
  return (
    <li>
      <span>
        {actorName ? <bdi className="weight-medium">{bidiSafe(actorName)}</bdi> : <code>{actor}</code>}{' '}
        {describeAction(entry)}
        {details && (
          <small title={escapeBidi(JSON.stringify(details))}>{bidiSafe(describeDetails(details))}</small>
        )}
      </span>
      <button type="button" className="text-button" title="Show only entries about this" onClick={onSubject}>
        {subjectName && <bdi>{bidiSafe(subjectName)}</bdi>}
        <span className="mono">{subject}</span>
      </button>
      <span className={`mono ${auditPageStyles.from}`}>{entry.from}</span>
      <time
        dateTime={entry.at}
        title={
          entry.seq === undefined
            ? formatFullDate(entry.at)
            : `Entry ${entry.seq}, ${formatFullDate(entry.at)}`
        }
      >
        {formatTimeAndYear(entry.at, now)}
      </time>
    </li>
  )
}

/** The actor `service` has no account: it is an operator at the command line, or the service itself. */
function nameWithoutAccount({ from }: AuditEntry): string {
  return from === 'command line' ? 'An operator' : 'The service'
}

function nameOfDeleted(id: string): string | undefined {
  const name = displayName(id)
  return name === id ? undefined : name
}
