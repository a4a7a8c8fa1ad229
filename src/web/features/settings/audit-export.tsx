import { useMutation } from '@tanstack/react-query'
import type { AuditEntry } from '../../../contract/workspace.ts'
import { useHere } from '../../lib/person.ts'
import { asProblem } from '../../lib/problem.ts'
import { saveFile } from '../../lib/save-file.ts'
import { ProblemStrip, Strip } from '../../ui/strip.tsx'
import { auditCsv, auditJsonl } from './audit-files.ts'
import { type AuditFilter, queryOf } from './audit-filters.tsx'

// What a browser can gather page by page in good time.
const mostEntries = 10_000
const pageSize = 100

const kinds = {
  jsonl: { label: 'Export as JSONL', type: 'application/x-ndjson', text: auditJsonl },
  csv: { label: 'Export as CSV', type: 'text/csv', text: auditCsv },
}

/** What the filter lets through, newest first, as a file. */
export function ExportAudit({ filter }: { filter: AuditFilter }) {
  const { api } = useHere()

  async function gather(): Promise<AuditEntry[]> {
    const entries: AuditEntry[] = []
    let cursor: string | null = null
    do {
      const place: { cursor?: string } = cursor === null ? {} : { cursor }
      const page = await api.audit({ ...queryOf(filter), ...place, limit: pageSize })
      entries.push(...page.entries)
      cursor = page.nextCursor
    } while (cursor !== null && entries.length < mostEntries)
    return entries
  }

  const exporting = useMutation({
    mutationFn: async (kind: keyof typeof kinds) => {
      const entries = await gather()
      saveFile(`audit.${kind}`, kinds[kind].type, kinds[kind].text(entries))
      return entries.length
    },
  })

  return (
    <div className="buttons">
      {Object.entries(kinds).map(([kind, { label }]) => (
        <button
          key={kind}
          type="button"
          className="btn small"
          aria-disabled={exporting.isPending}
          onClick={() => !exporting.isPending && exporting.mutate(kind as keyof typeof kinds)}
        >
          {label}
        </button>
      ))}
      {exporting.data !== undefined && exporting.data >= mostEntries && (
        <Strip tone="warn">
          The file holds the newest {mostEntries.toLocaleString()} entries. Narrow the time for older ones.
        </Strip>
      )}
      {exporting.error && <ProblemStrip what="Nothing was exported." problem={asProblem(exporting.error)} />}
    </div>
  )
}
