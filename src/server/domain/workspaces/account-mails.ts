import { plain } from '../feedback/harmless.ts'

// Whoever invites chooses names and the receiver. So subjects are ours alone, and in the text the only link is the one to this service.

type MailText = { subject: string; text: string }

export function invitationMail(input: {
  inviter: string
  workspace: string
  link: string
  days: number
}): MailText {
  return {
    subject: 'You are invited to a workspace on Handrail',
    text: `${named(input.inviter)} invited you to the workspace "${named(input.workspace)}" on Handrail, where people answer tasks from AI agents.

${input.link}

The link works once, for ${input.days} days. If you weren't expecting this invitation, ignore this email.`,
  }
}

export function passwordResetMail(link: string): MailText {
  return {
    subject: 'Choose a new password for Handrail',
    text: `Somebody, probably you, asked for a new password.

${link}

The link works once, for an hour. If this wasn't you, ignore this email; your password won't change.`,
  }
}

export function verificationMail(link: string): MailText {
  return {
    subject: 'Verify your e-mail address for Handrail',
    text: `Somebody, probably you, is signed in to Handrail with this address and asks to verify it.

${link}

Choose a new password there. Setting it ends all sessions and turns off two-factor authentication, so that nobody else keeps access. The link works once, for an hour. If this wasn't you, ignore this email.`,
  }
}

/** Mail programs make a link even of a bare domain, and of dots that only look like one. */
function named(name: string): string {
  return plain(name.normalize('NFKC')).replace(/[.\u3002](?=[\p{L}\p{N}])/gu, '[.]')
}
