import type { AuditFormat, ExportAudit } from '../../../contract/audit.ts'
import { csvLine } from '../../lib/csv.ts'
import { type ChainedRow, findAuditHead, listChained } from '../../storage/audit/audit-chain.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import type { Service } from '../service.ts'
import { formatLine } from './entry-line.ts'

const pageSize = 500
const columns = ['seq', 'auditId', 'at', 'actor', 'action', 'subject', 'from', 'details', 'digest']

const formats: Record<
  AuditFormat,
  { contentType: string; firstLine: string; line(row: ChainedRow): string }
> = {
  jsonl: { contentType: 'application/x-ndjson', firstLine: '', line: formatLine },
  csv: {
    contentType: 'text/csv; charset=utf-8',
    // Excel needs the byte order mark to read the file as UTF-8.
    firstLine: `\ufeff${columns.join(',')}\r\n`,
    line: (row) =>
      csvLine([
        String(row.seq),
        row.id,
        row.at,
        row.actor,
        row.action,
        row.subject,
        row.fromAddress ?? '',
        row.details ?? '',
        row.digest,
      ]),
  },
}

export type AuditFile = { contentType: string; fileName: string; parts: AsyncGenerator<string> }

/**
 * Exports the chain in order, up to its head. Entries that are not chained yet, usually those of the
 * last second, are not included.
 */
export async function exportAudit(
  { database }: Service,
  actor: PersonActor,
  { format, ...filters }: ExportAudit,
): Promise<AuditFile> {
  requireRole(actor, 'admin')
  const { workspaceId } = actor
  const { contentType, firstLine, line } = formats[format]
  const head = await database.inWorkspace(workspaceId, async (tx) => {
    const details = { format, ...filters }
    const { id, from } = actor
    await appendAudit(tx, { actor: id, from, action: 'audit.exported', subject: workspaceId, details })
    return await findAuditHead(tx)
  })

  async function* parts(): AsyncGenerator<string> {
    if (firstLine !== '') yield firstLine
    let after: number | undefined
    for (;;) {
      const rows = await database.inWorkspace(workspaceId, (tx) =>
        listChained(tx, filters, after, head?.seq ?? 0, pageSize),
      )
      if (rows.length > 0) yield rows.map(line).join('')
      if (rows.length < pageSize) return
      after = rows.at(-1)!.seq
    }
  }

  return { contentType, fileName: `handrail-audit-to-${head?.seq ?? 0}.${format}`, parts: parts() }
}
