import { limits } from '../../../contract/limits.ts'
import type { AuditPage, ListAudit, Workspace } from '../../../contract/workspace.ts'
import { appendAudit, listAudit as listAuditRows } from '../../storage/audit-log.ts'
import {
  findWorkspace as findWorkspaceRow,
  renameWorkspace as renameWorkspaceRow,
} from '../../storage/workspaces.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import type { Service } from '../service.ts'

export async function findWorkspace({ database, mcpUrl }: Service, actor: PersonActor): Promise<Workspace> {
  const row = (await database.inWorkspace(actor.workspaceId, findWorkspaceRow))!
  return {
    workspaceId: row.id,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    ...(mcpUrl !== undefined && { mcpUrl }),
  }
}

export async function renameWorkspace(
  service: Service,
  actor: PersonActor,
  name: string,
): Promise<Workspace> {
  requireRole(actor, 'owner')
  await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    await renameWorkspaceRow(tx, name)
    await appendAudit(tx, {
      actor: actor.id,
      from: actor.from,
      action: 'workspace.renamed',
      subject: actor.workspaceId,
      details: { name },
    })
  })
  return await findWorkspace(service, actor)
}

/** Newest first. */
export async function listAudit(
  { database }: Service,
  actor: PersonActor,
  { limit, cursor, ...filters }: ListAudit,
): Promise<AuditPage> {
  requireRole(actor, 'admin')
  const size = limit ?? limits.pageDefault
  const [at, id] = cursor === undefined ? [] : (readCursor(cursor, 'ts') as [string, string])
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
      action: row.action,
      subject: row.subject,
      ...(row.fromAddress !== null && { from: row.fromAddress }),
      ...(row.details !== null && { details: row.details }),
    })),
    nextCursor: rows.length > size && last ? writeCursor([last.at.toISOString(), last.id]) : null,
  }
}
