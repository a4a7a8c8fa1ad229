import type { AuditAction } from '../../../contract/audit.ts'
import {
  type ChangeWorkspace,
  maxPreviewCount,
  type RetentionPreview,
  type Workspace,
} from '../../../contract/workspace.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import {
  changeWorkspace as changeWorkspaceRow,
  findWorkspace as findWorkspaceRow,
} from '../../storage/people/workspaces.ts'
import { countOutdated } from '../../storage/tasks/task-content.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import type { Service } from '../service.ts'

export async function findWorkspace({ database, mcpUrl }: Service, actor: PersonActor): Promise<Workspace> {
  const row = (await database.inWorkspace(actor.workspaceId, findWorkspaceRow))!
  return {
    workspaceId: row.id,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    ...(row.retentionDays !== null && { retentionDays: row.retentionDays }),
    ...(mcpUrl !== undefined && { mcpUrl }),
  }
}

export async function changeWorkspace(
  service: Service,
  actor: PersonActor,
  { name, retentionDays }: ChangeWorkspace,
): Promise<Workspace> {
  requireRole(actor, 'owner')
  await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    const before = (await findWorkspaceRow(tx))!
    const audit = (action: AuditAction, details: Record<string, unknown>) =>
      appendAudit(tx, { actor: actor.id, from: actor.from, action, subject: actor.workspaceId, details })
    await changeWorkspaceRow(tx, {
      ...(name !== undefined && { name }),
      ...(retentionDays !== undefined && { retentionDays }),
    })
    if (name !== undefined) await audit('workspace.renamed', { name })
    if (retentionDays !== undefined)
      await audit('workspace.retention_changed', { was: before.retentionDays, is: retentionDays })
  })
  return await findWorkspace(service, actor)
}

/** How many tasks would lose their content with this retention period. */
export async function previewRetention(
  { database }: Service,
  actor: PersonActor,
  days: number,
): Promise<RetentionPreview> {
  requireRole(actor, 'owner')
  const tasks = await database.inWorkspace(actor.workspaceId, (tx) =>
    countOutdated(tx, days, maxPreviewCount + 1),
  )
  return { tasks: Math.min(tasks, maxPreviewCount), stopped: tasks > maxPreviewCount }
}
