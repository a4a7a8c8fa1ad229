import type { AuditPage, ListAudit } from '../../../contract/audit.ts'
import { limits } from '../../../contract/limits.ts'
import { listAudit as listAuditRows } from '../../storage/audit/audit-log.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import type { Service } from '../service.ts'

/** Newest first. */
export async function listAudit(
  { database }: Service,
  actor: PersonActor,
  { limit, cursor, ...filters }: ListAudit,
): Promise<AuditPage> {
  requireRole(actor, 'admin')
  const size = limit ?? limits.pageDefault
  const [at, id] = cursor === undefined ? [] : (decodeCursor(cursor, 'ts') as [string, string])
  const before = at !== undefined && id !== undefined ? { at, id } : undefined
  const rows = await database.inWorkspace(actor.workspaceId, (tx) =>
    listAuditRows(tx, filters, before, size + 1),
  )
  const page = rows.slice(0, size)
  const last = page.at(-1)
  return {
    entries: page.map((row) => ({
      auditId: row.id,
      at: row.at.toISOString(),
      actor: row.actor,
      ...(row.actorName !== null && { actorName: row.actorName }),
      action: row.action,
      subject: row.subject,
      ...(row.subjectName !== null && { subjectName: row.subjectName }),
      ...(row.fromAddress !== null && { from: row.fromAddress }),
      ...(row.details !== null && { details: row.details }),
      ...(row.seq !== null && { seq: Number(row.seq) }),
      ...(row.digest !== null && { digest: row.digest }),
    })),
    nextCursor: rows.length > size && last ? encodeCursor([last.at.toISOString(), last.id]) : null,
  }
}
