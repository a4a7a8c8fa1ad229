import { createHash, randomBytes } from 'node:crypto'
import type { ResetPassword } from '../../../contract/account.ts'
import { insertPasswordReset, takePasswordReset } from '../../storage/password-resets.ts'
import { findPersonByEmail } from '../../storage/people.ts'
import { conflict, forbidden } from '../problems.ts'
import type { Service } from '../service.ts'
import { passwordResetMail, verificationMail } from './account-mails.ts'
import { auditPerson } from './audit-person.ts'
import type { Person } from './people.ts'
import { proveMailbox } from './prove-mailbox.ts'

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
  sendResetLink(service, email).catch((error) =>
    service.log.warn({ err: error }, 'a password reset was not mailed'),
  )
}

async function sendResetLink(service: Service, email: string): Promise<void> {
  const person = await findPersonByEmail(service.database, email)
  if (person) await sendLink(service, person, passwordResetMail)
}

/**
 * For somebody who is signed in with an address that nobody has proved. The mail asks for a new password, because a click alone
 * would prove the address for whoever has the account, and that may be somebody else.
 */
export async function requestVerification(service: Service, person: Person): Promise<void> {
  if (person.emailVerified) throw conflict('Your address is verified already.')
  if (!service.sendMail) {
    throw forbidden(
      'This service sends no mail. Ask whoever runs it to verify your address: handrail people verify.',
    )
  }
  await sendLink(service, person, verificationMail)
}

async function sendLink(
  { database, publicUrl, sendMail }: Service,
  person: { id: string; email: string },
  mailText: (link: string) => { subject: string; text: string },
): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  const link = { userId: person.id, tokenDigest: digest(token), minutes: validMinutes, pauseMinutes }
  if (!(await insertPasswordReset(database, link))) return
  await sendMail!({ to: person.email, ...mailText(`${publicUrl}/password-reset#${token}`) })
}

/** Ends every session. */
export async function resetPassword(service: Service, input: ResetPassword, from: string): Promise<void> {
  const userId = await takePasswordReset(service.database, digest(input.token))
  if (!userId) throw forbidden('This link was used or has expired. Ask for a new one.')
  await proveMailbox(service, userId, input.password, from)
  await auditPerson(service, userId, { actor: userId, from, action: 'member.password_reset' })
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
