import { createHash, randomBytes } from 'node:crypto'
import type { ResetPassword } from '../../../contract/account.ts'
import { insertPasswordReset, takePasswordReset } from '../../storage/password-resets.ts'
import { findPersonByEmail } from '../../storage/people.ts'
import { forbidden } from '../problems.ts'
import type { Service } from '../service.ts'
import { auditPerson } from './audit-person.ts'

const validMinutes = 60
// Anyone may ask in anyone's name: a mailbox gets no more than a link each two minutes, from all nodes together.
const pauseMinutes = 2

/**
 * Answers before it has looked: neither words nor time tell whether there is such an account. A mail that is lost when
 * the process ends in this moment is asked for again.
 */
export function requestPasswordReset(service: Service, email: string): void {
  if (!service.sendMail) {
    throw forbidden(
      'This service sends no mail. Ask whoever runs it for a new password: handrail password-reset.',
    )
  }
  sendLink(service, email).catch((error) =>
    service.log.warn({ err: error }, 'a password reset was not mailed'),
  )
}

async function sendLink({ database, publicUrl, sendMail }: Service, email: string): Promise<void> {
  const person = await findPersonByEmail(database, email)
  if (!person) return
  const token = randomBytes(32).toString('base64url')
  const link = { userId: person.id, tokenDigest: digest(token), minutes: validMinutes, pauseMinutes }
  if (!(await insertPasswordReset(database, link))) return
  await sendMail!({
    to: person.email,
    subject: 'Choose a new password for Handrail',
    text: `Somebody, probably you, asked for a new password.\n\n${publicUrl}/password-reset#${token}\n\nThe link works once, for an hour. If it was not you, leave it alone: your password stays as it is.`,
  })
}

/** Ends every session. A second factor stays on: a mailbox alone must not open an account that has one. */
export async function resetPassword(service: Service, input: ResetPassword, from: string): Promise<void> {
  const userId = await takePasswordReset(service.database, digest(input.token))
  if (!userId) throw forbidden('This link was used or has expired. Ask for a new one.')
  await service.people.setPassword(userId, input.password)
  await auditPerson(service, userId, { actor: userId, from, action: 'member.password_reset' })
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
