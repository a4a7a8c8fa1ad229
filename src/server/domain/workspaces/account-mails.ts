import { sanitizeLine } from '../../lib/sanitize-line.ts'
import { consumeRateLimits } from '../../storage/people/rate-counts.ts'
import type { Service } from '../service.ts'
import type { Person } from './person.ts'

// The inviter chooses the names and the recipient, so subjects are fixed and the only link in the text
// is the one to this service.

type MailText = { subject: string; text: string }

export function invitationMail(input: {
  inviter: string
  workspace: string
  link: string
  days: number
}): MailText {
  return {
    subject: 'You are invited to a workspace on Handrail',
    text: `${safeName(input.inviter)} invited you to the workspace "${safeName(input.workspace)}" on Handrail, where people answer tasks from AI agents.

${input.link}

The link works once, for ${input.days} days. If you weren't expecting this invitation, ignore this email.`,
  }
}

export function passwordResetMail(link: string): MailText {
  return {
    subject: 'Choose a new password for Handrail',
    text: `Someone, probably you, asked for a new password.

${link}

A new password signs you out on all devices and disconnects your apps. If your email address isn't verified yet, it also turns off two-factor authentication.

The link works once, for an hour. If this wasn't you, ignore this email; your password won't change.`,
  }
}

export function verificationMail(link: string): MailText {
  return {
    subject: 'Verify your email address for Handrail',
    text: `Someone, probably you, is signed in to Handrail with this address and asked to verify it.

${link}

Choose a new password there. Setting it ends all sessions and turns off two-factor authentication, so that nobody else keeps access. The link works once, for an hour. If this wasn't you, ignore this email.`,
  }
}

export function newDeviceMail(input: { from: string; userAgent: string; publicUrl: string }): MailText {
  return {
    subject: 'New sign-in to Handrail',
    text: `Someone, probably you, signed in to your Handrail account with a browser that hasn't been used for it before.

Address: ${safeName(input.from)}
Browser: ${safeName(input.userAgent.slice(0, 200)) || 'unknown'}

If this was you, there is nothing to do. If not, choose a new password: it signs you out on all devices and disconnects your apps.

${input.publicUrl}/forgot-password`,
  }
}

export function connectedAppMail(input: { app: string; workspace: string; publicUrl: string }): MailText {
  return {
    subject: 'An app was connected to Handrail',
    text: `Someone, probably you, allowed the app "${safeName(input.app)}" to act for you in the workspace "${safeName(input.workspace)}" on Handrail.

If this was you, there is nothing to do. If not, choose a new password: it signs you out on all devices and disconnects your apps.

${input.publicUrl}/forgot-password`,
  }
}

const reportsPerDay = 10

/**
 * Reports to a person what was done with their account. Not awaited: nobody waits for the mail server. Addresses that are not
 * verified get no email.
 */
export function reportToPerson(
  { sendMail, database, log }: Service,
  { id, email, emailVerified }: Person,
  about: 'new device' | 'connected app',
  mail: MailText,
): void {
  if (!sendMail || !emailVerified) return
  const send = async () => {
    const counted = await consumeRateLimits(database, [
      { subject: `${about} of ${id}`, max: reportsPerDay, seconds: 86_400 },
    ])
    if (counted.allowed) await sendMail({ to: email, ...mail })
  }
  send().catch((error) =>
    log.warn({ err: error, account: id, about }, 'failed to send an email about an account'),
  )
}

/** Mail programs turn even a bare domain into a link, also with characters that only look like a dot. */
function safeName(name: string): string {
  return sanitizeLine(name.normalize('NFKC')).replace(/[.\u3002](?=[\p{L}\p{N}])/gu, '[.]')
}
