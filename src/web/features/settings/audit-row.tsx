import type { AuditEntry } from '../../../contract/workspace.ts'
import { clock, fullDate } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { visible } from '../../ui/visible-text.tsx'
import { didWhat } from './audit-words.ts'
import { useMembers } from './use-members.ts'

export function AuditRow({ entry, onSubject }: { entry: AuditEntry; onSubject: () => void }) {
  const members = useMembers()
  const now = useNow()
  const nameOf = (id: string) => members.data?.find(({ userId }) => userId === id)?.name
  const actor = entry.actor === 'service' ? 'The service' : nameOf(entry.actor)
  return (
    <li>
      <span>
        {actor ? <bdi className="font-medium">{visible(actor)}</bdi> : <code>{entry.actor}</code>}{' '}
        {didWhat[entry.action] ?? entry.action}
        {entry.details && <small>{visible(detailsOf(entry.details))}</small>}
      </span>
      <button type="button" className="text-button mono" title="Only this one" onClick={onSubject}>
        {entry.subject}
      </button>
      <span className="from mono">{entry.from}</span>
      <time title={fullDate(entry.at)}>{clock(entry.at, now)}</time>
    </li>
  )
}

/** "role admin, was member": short facts, one after the other. */
function detailsOf(details: Record<string, unknown>): string {
  return Object.entries(details)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}
