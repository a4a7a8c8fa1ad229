import type { AuditAction } from '../../../contract/audit.ts'
import {
  type ChangeWorkspace,
  maxPreviewCount,
  type RetentionPreview,
  type Workspace,
} from '../../../contract/workspace.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import { outdateSlackMessages } from '../../storage/notifications/slack-messages.ts'
import {
  changeWorkspace as changeWorkspaceRow,
  findWorkspace as findWorkspaceRow,
  type WorkspaceSettings,
} from '../../storage/people/workspaces.ts'
import { countOutdated } from '../../storage/tasks/task-content.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import { type DomainProblem, invalidRequest } from '../problems.ts'
import type { Service } from '../service.ts'
import { sortScopes } from './api-keys.ts'

export async function findWorkspace({ database, mcpUrl }: Service, actor: PersonActor): Promise<Workspace> {
  const row = (await database.inWorkspace(actor.workspaceId, findWorkspaceRow))!
  return {
    workspaceId: row.id,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    ...(row.retentionDays !== null && { retentionDays: row.retentionDays }),
    requiresTwoFactor: row.requiresTwoFactor,
    ...(row.maxKeyDays !== null && { maxKeyDays: row.maxKeyDays }),
    defaultKeyScopes: row.defaultKeyScopes,
    ...(mcpUrl !== undefined && { mcpUrl }),
  }
}

export async function changeWorkspace(
  service: Service,
  actor: PersonActor,
  input: ChangeWorkspace,
): Promise<Workspace> {
  requireRole(actor, 'owner')
  if (input.requiresTwoFactor && !actor.hasSecondFactor) throw ownSecondFactorRequired()
  const settings = settingsIn(input)
  const { name, retentionDays, ...security } = settings
  await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    const before = (await findWorkspaceRow(tx))!
    const audit = (action: AuditAction, details: Record<string, unknown>) =>
      appendAudit(tx, { actor: actor.id, from: actor.from, action, subject: actor.workspaceId, details })
    await changeWorkspaceRow(tx, settings)
    if (input.requiresTwoFactor !== undefined) await outdateSlackMessages(tx)
    if (name !== undefined) await audit('workspace.renamed', { name })
    if (retentionDays !== undefined)
      await audit('workspace.retention_changed', { was: before.retentionDays, is: retentionDays })
    if (Object.keys(security).length > 0) await audit('workspace.security_changed', security)
  })
  return await findWorkspace(service, actor)
}

/** The settings to change, in the form in which they are stored. */
function settingsIn(input: ChangeWorkspace): Partial<WorkspaceSettings> {
  const { password: _password, code: _code, defaultKeyScopes, ...others } = input
  const change = { ...others, ...(defaultKeyScopes && { defaultKeyScopes: sortScopes(defaultKeyScopes) }) }
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

/** An owner who requires more of all members than they have themselves would lock themselves out. */
function ownSecondFactorRequired(): DomainProblem {
  return invalidRequest([
    {
      path: 'requiresTwoFactor',
      message:
        'Your own session has no second factor. Set up two-factor authentication in Settings, Your account, first, or sign in again with single sign-on and a second factor.',
    },
  ])
}

/** How many ended tasks would lose their content with this retention period. */
export async function previewRetention(
  { database }: Service,
  actor: PersonActor,
  days: number,
): Promise<RetentionPreview> {
  requireRole(actor, 'owner')
  const tasks = await database.inWorkspace(actor.workspaceId, (tx) =>
    countOutdated(tx, days, maxPreviewCount + 1),
  )
  return { tasks: Math.min(tasks, maxPreviewCount), hasMore: tasks > maxPreviewCount }
}
