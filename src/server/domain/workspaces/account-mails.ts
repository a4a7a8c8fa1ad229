import type { MailBlock, MailContent } from '../../lib/mail-content.ts'
import { sanitizeForMail } from '../../lib/sanitize-line.ts'
import { consumeRateLimits } from '../../storage/people/rate-counts.ts'
import { DomainProblem } from '../problems.ts'
import type { Service } from '../service.ts'
import type { Device, Person } from './person.ts'

// Some names in these emails were chosen by other people, and an inviter also chooses the
// recipient. So subjects are fixed, names are sanitized and every link leads to this service.

export function invitationMail(input: {
  inviter: string
  workspace: string
  link: string
  days: number
}): MailContent {
  return {
    subject: 'You are invited to a workspace on Handrail',
    blocks: [
      text(
        `${sanitizeForMail(input.inviter)} invited you to the workspace "${sanitizeForMail(input.workspace)}" on Handrail, where people answer tasks from AI agents.`,
      ),
      button('Open the invitation', input.link),
      text(
        `The link works once, for ${input.days} days. If you weren't expecting this invitation, ignore this email.`,
      ),
    ],
  }
}

export function passwordResetMail(link: string): MailContent {
  return {
    subject: 'Choose a new password for Handrail',
    blocks: [
      text('Someone, probably you, asked for a new password.'),
      button('Choose a new password', link),
      text(
        "A new password signs you out on all devices, disconnects your apps, unlinks your Slack user and stops push messages. If your email address isn't verified yet, it also turns off two-factor authentication.",
      ),
      text(
        "The link works once, for an hour. If this wasn't you, ignore this email; your password won't change.",
      ),
    ],
  }
}

export function verificationMail(link: string): MailContent {
  return {
    subject: 'Verify your email address for Handrail',
    blocks: [
      text('Someone, probably you, is signed in to Handrail with this address and asked to verify it.'),
      button('Verify your address', link),
      text(
        "The link opens a page where you choose a new password. The new password signs you out on all devices, disconnects your apps, unlinks your Slack user and stops push messages. It also turns off two-factor authentication, so that nobody else keeps access. The link works once, for an hour. If this wasn't you, ignore this email.",
      ),
    ],
  }
}

/**
 * Logs why an email could not be sent. Returns the problem for the person who requested the email;
 * `failure` is its first sentence.
 */
export function reportMailFailure({ log }: Service, error: unknown, failure: string): DomainProblem {
  log.warn({ err: error }, 'failed to send an email about an account')
  return new DomainProblem(
    'unavailable',
    `${failure} Check the address and the mail settings of the service, then try again.`,
    { retryAfterSeconds: 60 },
  )
}

function ifNotYou({ passwordSignIn, publicUrl }: Service): MailBlock[] {
  const effect =
    'signs you out on all devices, disconnects your apps, unlinks your Slack user and stops push messages'
  if (passwordSignIn) {
    return [
      text(`If this was you, there is nothing to do. If not, choose a new password: it ${effect}.`),
      button('Choose a new password', `${publicUrl}/forgot-password`),
    ]
  }
  return [
    text(
      `If this was you, there is nothing to do. If not, choose "Sign out everywhere" in Settings, Your account: it ${effect}. Then tell an admin of your workspace, because whoever did this could do it again.`,
    ),
    button('Open Handrail', `${publicUrl}/`),
  ]
}

export function newDeviceMail(service: Service, { from, userAgent }: Device): MailContent {
  return {
    subject: 'New sign-in to Handrail',
    blocks: [
      text(
        "Someone, probably you, signed in to your Handrail account with a browser that Handrail doesn't recognize.",
      ),
      {
        kind: 'lines',
        lines: [
          `IP address: ${sanitizeForMail(from)}`,
          `Browser: ${sanitizeForMail(userAgent.slice(0, 200)) || 'unknown'}`,
        ],
      },
      ...ifNotYou(service),
    ],
  }
}

export function connectedAppMail(service: Service, input: { app: string; workspace: string }): MailContent {
  return {
    subject: 'An app was connected to Handrail',
    blocks: [
      text(
        `Someone, probably you, gave the app "${sanitizeForMail(input.app)}" access to the workspace "${sanitizeForMail(input.workspace)}" on Handrail.`,
      ),
      ...ifNotYou(service),
    ],
  }
}

export function linkedSlackMail(service: Service, workspace: string): MailContent {
  return {
    subject: 'A Slack user was linked to Handrail',
    blocks: [
      text(
        `Someone, probably you, linked a Slack user to your account. It can now answer tasks for you in the workspace "${sanitizeForMail(workspace)}" on Handrail.`,
      ),
      ...ifNotYou(service),
    ],
  }
}

function text(words: string): MailBlock {
  return { kind: 'text', text: words }
}

function button(label: string, url: string): MailBlock {
  return { kind: 'button', label, url, isBare: true }
}

const reportsPerDay = 10

/**
 * Emails a person what was done with their account. Sends nothing if their address is unverified,
 * the service has no mail server or they got too many of these emails within a day. Does not wait
 * for the mail server.
 */
export function reportToPerson(
  { sendMail, database, log }: Service,
  { id, email, emailVerified }: Pick<Person, 'id' | 'email' | 'emailVerified'>,
  about: 'new device' | 'connected app' | 'linked Slack user',
  content: MailContent,
): void {
  if (!sendMail || !emailVerified) return
  const send = async () => {
    const use = await consumeRateLimits(database, [
      { subject: `${about} of ${id}`, max: reportsPerDay, seconds: 86_400 },
    ])
    if (use.allowed) await sendMail({ to: email, content })
  }
  send().catch((error) =>
    log.warn({ err: error, account: id, about }, 'failed to send an email about an account'),
  )
}
