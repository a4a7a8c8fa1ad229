import type { OidcIdentity } from '../../lib/oidc-client.ts'
import { insertIdentity } from '../../storage/people/identities.ts'
import type { Service } from '../service.ts'
import { auditPerson } from '../workspaces/audit-person.ts'
import type { Device } from '../workspaces/person.ts'
import { acceptInvitationsTo, joinByDomain } from './join-workspaces.ts'

/**
 * Links an identity to a person and adds them to the workspaces that they may join. The caller has
 * made sure that the address belongs to the person. The identity is inserted last: after an
 * interruption, the next sign-in does all of this again.
 */
export async function linkIdentity(
  service: Service,
  userId: string,
  { email, ...identity }: Pick<OidcIdentity, 'issuer' | 'subject'> & { email: string },
  { from }: Device,
): Promise<void> {
  await acceptInvitationsTo(service, { userId, email, from })
  await joinByDomain(service, { userId, email, from })
  if (!(await insertIdentity(service.database, userId, identity))) return
  const details = { issuer: identity.issuer }
  await auditPerson(service, userId, { actor: userId, from, action: 'member.single_sign_on_linked', details })
}
