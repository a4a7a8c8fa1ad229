import { X } from 'lucide-react'
import type { ListAudit } from '../../../contract/audit.ts'
import { hoursAgo } from '../../lib/dates.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { useMembers } from '../../lib/use-members.ts'
import { Icon } from '../../ui/icon.tsx'
import { Options } from '../../ui/select.tsx'
import { auditActionLabels } from './audit-action-labels.ts'
import { FilterGroup, FilterSelect } from './filter-controls.tsx'
import { optionalTimeRanges } from './time-ranges.ts'

/** Values of the form controls; '' means no filter. */
export type AuditFilter = { action: string; actor: string; hours: string; subject: string }

export function auditQueryOf({ action, actor, hours, subject }: AuditFilter): ListAudit {
  return {
    ...(action && { action }),
    ...(actor && { actor }),
    ...(subject && { subject }),
    ...(hours && { after: hoursAgo(Number(hours)) }),
  }
}

const actions = Object.entries(auditActionLabels).map(
  ([action, label]) => [action, label.charAt(0).toUpperCase() + label.slice(1)] as const,
)

type Props = { filter: AuditFilter; onChange: (filter: AuditFilter) => void }

export function AuditFilters({ filter, onChange }: Props) {
  const members = useMembers()
  return (
    <FilterGroup>
      <FilterSelect label="Actor" value={filter.actor} onChange={(actor) => onChange({ ...filter, actor })}>
        <option value="">Anyone</option>
        <option value="service">The service and operators</option>
        {members.data?.map(({ userId, name }) => (
          <option key={userId} value={userId}>
            {escapeBidi(name)}
          </option>
        ))}
      </FilterSelect>
      <FilterSelect
        label="Action"
        value={filter.action}
        onChange={(action) => onChange({ ...filter, action })}
      >
        <option value="">Any action</option>
        <Options options={actions} />
      </FilterSelect>
      <FilterSelect label="Time" value={filter.hours} onChange={(hours) => onChange({ ...filter, hours })}>
        <Options options={optionalTimeRanges} />
      </FilterSelect>
      {filter.subject && (
        <button type="button" className="btn small" onClick={() => onChange({ ...filter, subject: '' })}>
          Subject: <code>{filter.subject}</code>
          <Icon of={X} name="Clear filter" />
        </button>
      )}
    </FilterGroup>
  )
}
