import type { AuditAction } from '../../../contract/audit.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import { workspacesOfPerson } from '../../storage/people/members.ts'
import type { Service } from '../service.ts'

/** A change to a person's account is audited in every workspace they are in. */
export async function auditPerson(
  { database }: Service,
  userId: string,
  entry: { actor: string; from: string; action: AuditAction; details?: Record<string, unknown> },
): Promise<void> {
  for (const { workspaceId } of await workspacesOfPerson(database, userId)) {
    await database.inWorkspace(workspaceId, (tx) => appendAudit(tx, { ...entry, subject: userId }))
  }
}
