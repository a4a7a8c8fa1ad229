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
    text: `${named(input.inviter)} invites you to the workspace "${named(input.workspace)}", to answer what its agents hand to people.

${input.link}

The link works once, for ${input.days} days. If you expect no invitation, ignore this mail.`,
  }
}

export function passwordResetMail(link: string): MailText {
  return {
    subject: 'Choose a new password for Handrail',
    text: `Somebody, probably you, asked for a new password.

${link}

The link works once, for an hour. If it was not you, leave it alone: your password stays as it is.`,
  }
}

export function verificationMail(link: string): MailText {
  return {
    subject: 'Verify your e-mail address for Handrail',
    text: `Somebody, probably you, is signed in to Handrail with this address and asks to verify it.

${link}

Choose a new password there. It ends all sessions and switches off a second factor that was set up before, so that nobody but you uses the account from then on. The link works once, for an hour. If it was not you, leave it alone.`,
  }
}

/** Mail programs make a link even of a bare domain, and of dots that only look like one. */
function named(name: string): string {
  return plain(name.normalize('NFKC')).replace(/[.\u3002](?=[\p{L}\p{N}])/gu, '[.]')
}
