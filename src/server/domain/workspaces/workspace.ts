import type { Workspace } from '../../../contract/workspace.ts'
import { appendAudit } from '../../storage/audit-log.ts'
import {
  findWorkspace as findWorkspaceRow,
  renameWorkspace as renameWorkspaceRow,
} from '../../storage/workspaces.ts'
import { type PersonActor, requireRole } from '../actor.ts'
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
