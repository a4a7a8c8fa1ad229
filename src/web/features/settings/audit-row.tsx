import type { AuditAction, AuditEntry } from '../../../contract/audit.ts'
import { plain } from '../../lib/plain-text.ts'
import { clock, fullDate } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { who } from '../../lib/who.ts'
import { visible } from '../../ui/visible-text.tsx'
import { auditActionLabels } from './audit-action-labels.ts'
import { describeDetails } from './audit-details.ts'
import auditPageStyles from './audit-page.module.css'

export function AuditRow({ entry, onSubject }: { entry: AuditEntry; onSubject: () => void }) {
  const now = useNow()
  const { actor, subject, details } = entry
  const actorName = actor === 'service' ? 'The service' : (entry.actorName ?? formerMember(actor))
  const subjectName = entry.subjectName ?? formerMember(subject)
  return (
    <li>
      <span>
        {actorName ? <bdi className="weight-medium">{visible(actorName)}</bdi> : <code>{actor}</code>}{' '}
        {auditActionLabels[entry.action as AuditAction] ?? entry.action}
        {details && <small title={plain(JSON.stringify(details))}>{visible(describeDetails(details))}</small>}
      </span>
      <button type="button" className="text-button" title="Show only entries about this" onClick={onSubject}>
        {subjectName && <bdi>{visible(subjectName)}</bdi>}
        <span className="mono">{subject}</span>
      </button>
      <span className={`mono ${auditPageStyles.from}`}>{entry.from}</span>
      <time
        title={entry.seq === undefined ? fullDate(entry.at) : `Entry ${entry.seq}, ${fullDate(entry.at)}`}
      >
        {clock(entry.at, now)}
      </time>
    </li>
  )
}

function formerMember(id: string): string | undefined {
  const name = who(id)
  return name === id ? undefined : name
}
