import { appendAudit } from '../../storage/audit/audit-log.ts'
import { findInvitationsTo } from '../../storage/people/invitations.ts'
import { insertMember } from '../../storage/people/members.ts'
import { findWorkspace } from '../../storage/people/workspaces.ts'
import type { Service } from '../service.ts'
import { joinByInvitation } from '../workspaces/invitations.ts'
import { requireSingleSignOn } from './single-sign-on.ts'

type Joining = { userId: string; email: string; from: string }

/**
 * Whether someone with this verified address may have an account: they are invited to a workspace,
 * or OIDC_JOIN adds addresses of their domain to one.
 */
export async function mayHaveAccount(service: Service, email: string): Promise<boolean> {
  return joinsOf(service, email).length > 0 || (await findInvitationsTo(service.database, email)).length > 0
}

/** Accepts the open invitations to a verified address. */
export async function acceptInvitationsTo({ database }: Service, { userId, email, from }: Joining) {
  for (const { invitationId, workspaceId } of await findInvitationsTo(database, email))
    await database.inWorkspace(workspaceId, (tx) => joinByInvitation(tx, invitationId, { userId, from }))
}

/**
 * Adds the person to the workspaces that OIDC_JOIN names for their domain. Called only when an
 * identity is linked, so that someone who was removed does not join again with the next sign-in.
 */
export async function joinByDomain(service: Service, { userId, email, from }: Joining): Promise<void> {
  for (const { workspaceId, domain } of joinsOf(service, email)) {
    await service.database.inWorkspace(workspaceId, async (tx) => {
      if (!(await findWorkspace(tx)))
        return service.log.error({ workspaceId }, 'OIDC_JOIN names a workspace that does not exist')
      if (!(await insertMember(tx, userId, 'member'))) return
      await appendAudit(tx, {
        actor: userId,
        from,
        action: 'member.joined',
        subject: userId,
        details: { role: 'member', domain },
      })
    })
  }
}

function joinsOf(service: Service, email: string) {
  return requireSingleSignOn(service).joins.filter(({ domain }) => email.endsWith(`@${domain}`))
}
