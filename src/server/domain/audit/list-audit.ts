import type { AuditPage, ListAudit } from '../../../contract/audit.ts'
import { limits } from '../../../contract/limits.ts'
import { listAudit as listAuditRows } from '../../storage/audit/audit-log.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import { decodePosition, toPage } from '../cursor.ts'
import type { Service } from '../service.ts'

/** A page of the audit log, newest first. */
export async function listAudit(
  { database }: Service,
  actor: PersonActor,
  { limit, cursor, ...filters }: ListAudit,
): Promise<AuditPage> {
  requireRole(actor, 'admin')
  const size = limit ?? limits.pageDefault
  const before = decodePosition(cursor)
  const found = await database.inWorkspace(actor.workspaceId, (tx) =>
    listAuditRows(tx, filters, before, size + 1),
  )
  const { rows, nextCursor } = toPage(found, size, (row) => [row.at.toISOString(), row.id])
  return {
    entries: rows.map((row) => ({
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
    nextCursor,
  }
}
