import { disconnectAppsOf } from '../oauth/connected-apps.ts'
import type { Service } from '../service.ts'
import { auditPerson } from './audit-person.ts'

/**
 * Sets a password chosen with a mailed link. The first time, this ends everything set up before: someone
 * else may have used the invitation link to set a password and a second factor. Later the second factor
 * stays, because the mailbox alone must not be enough to get into such an account.
 */
export async function proveMailbox(
  service: Service,
  userId: string,
  password: string,
  from: string,
): Promise<void> {
  const { isFirstProof, hadTwoFactor } = await service.people.setPassword(userId, password, {
    provesMailbox: true,
  })
  // After the sessions have ended, which could connect an app again.
  await disconnectAppsOf(service, userId, { actor: userId, from }, 'password reset')
  if (!isFirstProof) return
  const audit = (action: 'member.verified' | 'member.two_factor_disabled') =>
    auditPerson(service, userId, { actor: userId, from, action })
  if (hadTwoFactor) await audit('member.two_factor_disabled')
  await audit('member.verified')
}
