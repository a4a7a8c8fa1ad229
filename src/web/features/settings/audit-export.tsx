import type { AuditFormat } from '../../../contract/audit.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { type AuditFilter, auditQueryOf } from './audit-filters.tsx'

const formats: Record<AuditFormat, string> = { jsonl: 'Export as JSONL', csv: 'Export as CSV' }

/** Exports the entries that match the filter, oldest first. */
export function AuditExport({ filter }: { filter: AuditFilter }) {
  const { api } = useWorkspace()
  return (
    <div className="buttons">
      {Object.entries(formats).map(([format, label]) => (
        <a
          key={format}
          className="btn small"
          download
          href={api.auditExportUrl({ ...auditQueryOf(filter), format: format as AuditFormat })}
        >
          {label}
        </a>
      ))}
    </div>
  )
}
