import { revokeStandingAccess } from '../oauth/connected-apps.ts'
import type { Service } from '../service.ts'
import { auditPerson } from './audit-person.ts'

/**
 * Sets a password that was chosen with a mailed link, and revokes all access. If the address was
 * unverified, also removes the second factor, which someone else may have set up. The second factor
 * of a verified account stays, because the mailbox alone must not be enough to get into it.
 */
export async function resetPasswordByMailedLink(
  service: Service,
  userId: string,
  password: string,
  from: string,
): Promise<void> {
  const proof = await service.people.setPassword(userId, password, { provesAddress: true })
  await finishProofOfAddress(service, { userId, from, reason: 'password reset', ...proof })
}

/**
 * Called the first time that an identity provider vouches for the unverified address of an existing
 * account. Removes the password, which is no longer needed, and the second factor, and revokes all
 * access except the session of these cookies, which the person has just started.
 */
export async function removePasswordBySingleSignOn(
  service: Service,
  userId: string,
  cookies: string[],
  from: string,
): Promise<void> {
  const proof = await service.people.removePassword(userId, cookies)
  await finishProofOfAddress(service, { userId, from, reason: 'address verified', ...proof })
}

async function finishProofOfAddress(
  service: Service,
  proof: { userId: string; from: string; reason: string; isNewlyVerified: boolean; hadTwoFactor: boolean },
): Promise<void> {
  const { userId, from, reason, isNewlyVerified, hadTwoFactor } = proof
  const by = { actor: userId, from }
  // The sessions have ended before, because a session could connect an app again.
  await revokeStandingAccess(service, userId, by, reason)
  if (!isNewlyVerified) return
  if (hadTwoFactor) await auditPerson(service, userId, { ...by, action: 'member.two_factor_disabled' })
  await auditPerson(service, userId, { ...by, action: 'member.verified' })
}
