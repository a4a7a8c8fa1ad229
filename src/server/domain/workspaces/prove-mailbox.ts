import type { Service } from '../service.ts'
import { auditPerson } from './audit-person.ts'

/**
 * Somebody chose this password with a link that only the mailbox got. The first time, nothing that was set up before may go on:
 * whoever had the invitation link before the owner of the mailbox may have chosen the password, a second factor and have a session.
 * Later a second factor stays: a mailbox alone must not open an account that has one.
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
  if (!isFirstProof) return
  const audit = (action: 'member.verified' | 'member.two_factor_disabled') =>
    auditPerson(service, userId, { actor: userId, from, action })
  if (hadTwoFactor) await audit('member.two_factor_disabled')
  await audit('member.verified')
}
