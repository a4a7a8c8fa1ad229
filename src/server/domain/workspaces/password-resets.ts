import { randomBytes } from 'node:crypto'
import type { ResetPassword } from '../../../contract/account.ts'
import { networkOf } from '../../lib/client-address.ts'
import type { MailContent } from '../../lib/mail-content.ts'
import { sha256Hex } from '../../lib/sha256.ts'
import { consumePasswordReset, insertPasswordReset } from '../../storage/people/password-resets.ts'
import { findPersonByEmail } from '../../storage/people/people.ts'
import {
  consumeRateLimits,
  type RateLimit,
  type RateLimitResult,
  refundRateLimits,
} from '../../storage/people/rate-counts.ts'
import { conflict, DomainProblem, forbidden, rateLimited } from '../problems.ts'
import type { Service } from '../service.ts'
import { requirePasswordSignIn } from '../single-sign-on/single-sign-on.ts'
import { passwordResetMail, reportMailFailure, verificationMail } from './account-mails.ts'
import { auditPerson } from './audit-person.ts'
import type { Person } from './person.ts'
import { resetPasswordByMailedLink } from './prove-address.ts'

const validMinutes = 60
// Anyone can request a reset for any address. These limits keep a mailbox from being flooded, and a
// stranger in one network from using up the owner's requests.
const pauseSeconds = 120
const mailsPerNetworkAndDay = 5
const mailsPerDay = 20

/**
 * Returns before the lookup, so that neither the response nor its timing reveals whether the
 * account exists. If the process ends before the mail is sent, the person has to request it again.
 */
export function requestPasswordReset(service: Service, email: string, from: string): void {
  requirePasswordSignIn(service)
  if (!service.sendMail) {
    throw forbidden('This service cannot send email. Ask its operator to run `handrail password-reset`.')
  }
  sendResetLink(service, email, from).catch((error) => {
    // A problem is an email that could not be sent, which `reportMailFailure` has logged.
    if (error instanceof DomainProblem) return
    service.log.warn({ err: error }, 'failed to create a password reset')
  })
}

async function sendResetLink(service: Service, email: string, from: string): Promise<void> {
  const person = await findPersonByEmail(service.database, email)
  // A refusal by a rate limit is not reported: it would reveal that the account exists.
  if (person) await sendLink(service, person, from, passwordResetMail)
}

/**
 * For a signed-in person with an unverified address. The mail asks for a new password: if a click
 * were enough, the owner of the mailbox could verify the address for someone else who uses the
 * account.
 */
export async function requestVerification(service: Service, person: Person, from: string): Promise<void> {
  if (person.emailVerified) throw conflict('Your email address is already verified.')
  requirePasswordSignIn(service)
  if (!service.sendMail) {
    throw forbidden('This service cannot send email. Ask its operator to run `handrail people verify`.')
  }
  const use = await sendLink(service, person, from, verificationMail)
  if (!use.allowed) {
    throw rateLimited(
      'A link was already emailed to your address. Check your mailbox, or try again later.',
      use.retryAfterSeconds,
    )
  }
}

/** Sends nothing if one of the limits is reached. */
async function sendLink(
  service: Service,
  person: { id: string; email: string },
  from: string,
  contentOf: (link: string) => MailContent,
): Promise<RateLimitResult> {
  const { database, publicUrl, sendMail } = service
  const rateLimits = mailLimits(person.id, from)
  const use = await consumeRateLimits(database, rateLimits)
  if (!use.allowed) return use
  const token = randomBytes(32).toString('base64url')
  try {
    await insertPasswordReset(database, {
      userId: person.id,
      tokenDigest: sha256Hex(token),
      minutes: validMinutes,
    })
    const content = contentOf(`${publicUrl}/password-reset#${token}`)
    await sendMail!({ to: person.email, content }).catch((error) => {
      throw reportMailFailure(service, error, 'The link could not be emailed.')
    })
    return use
  } catch (error) {
    await refundRateLimits(database, rateLimits)
    throw error
  }
}

function mailLimits(userId: string, from: string): RateLimit[] {
  const subject = `reset links to ${userId}`
  return [
    { subject: `${subject} without a pause`, max: 1, seconds: pauseSeconds },
    { subject: `${subject} from ${networkOf(from)}`, max: mailsPerNetworkAndDay, seconds: 86_400 },
    { subject, max: mailsPerDay, seconds: 86_400 },
  ]
}

/** Sets a new password with a mailed link, which ends every session. */
export async function resetPassword(service: Service, input: ResetPassword, from: string): Promise<void> {
  requirePasswordSignIn(service)
  const userId = await consumePasswordReset(service.database, sha256Hex(input.token))
  if (!userId) throw forbidden('This link was used or has expired. Ask for a new one.')
  await resetPasswordByMailedLink(service, userId, input.password, from)
  await auditPerson(service, userId, { actor: userId, from, action: 'member.password_reset' })
}
