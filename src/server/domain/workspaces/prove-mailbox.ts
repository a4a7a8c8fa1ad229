import { revokeStandingAccess } from '../oauth/connected-apps.ts'
import type { Service } from '../service.ts'
import { auditPerson } from './audit-person.ts'

/**
 * Sets a password that was chosen with a mailed link, and revokes all access. If the address was
 * unverified, also removes the second factor: someone else may have set it up. Otherwise it stays,
 * because the mailbox alone must not be enough to get into such an account.
 */
export async function resetPasswordByMailedLink(
  service: Service,
  userId: string,
  password: string,
  from: string,
): Promise<void> {
  const proof = await service.people.setPassword(userId, password, { provesMailbox: true })
  await finishProof(service, { userId, from, reason: 'password reset', ...proof })
}

/**
 * Does the same the first time that an identity provider vouches for the address of an existing
 * account, but removes the password, which is no longer needed. The person keeps the session of
 * these cookies, which they have just started.
 */
export async function removePasswordBySingleSignOn(
  service: Service,
  userId: string,
  cookies: string[],
  from: string,
): Promise<void> {
  const proof = await service.people.removePassword(userId, cookies)
  await finishProof(service, { userId, from, reason: 'address verified', ...proof })
}

async function finishProof(
  service: Service,
  proof: { userId: string; from: string; reason: string; isFirstProof: boolean; hadTwoFactor: boolean },
): Promise<void> {
  const { userId, from, reason, isFirstProof, hadTwoFactor } = proof
  const by = { actor: userId, from }
  // After the sessions have ended, which could connect an app again.
  await revokeStandingAccess(service, userId, by, reason)
  if (!isFirstProof) return
  if (hadTwoFactor) await auditPerson(service, userId, { ...by, action: 'member.two_factor_disabled' })
  await auditPerson(service, userId, { ...by, action: 'member.verified' })
}
