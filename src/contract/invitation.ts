import { z } from 'zod'
import { confirmation } from './confirmation.ts'
import { Email, optional, Timestamp } from './field.ts'
import { InvitationId, WorkspaceId } from './ids.ts'
import { Password, PersonName, Role } from './workspace.ts'

export const Invitation = z.object({
  invitationId: InvitationId,
  email: z.string(),
  role: Role,
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
export type Invitation = z.infer<typeof Invitation>
export const Invitations = z.object({ invitations: z.array(Invitation) })
export type Invitations = z.infer<typeof Invitations>
/** Inviting an owner needs a confirmation. */
export const Invite = z.strictObject({ email: Email, role: optional(Role), ...confirmation })
export type Invite = z.infer<typeof Invite>
/** The link is shown once: only a digest of its token is stored. */
export const Invited = Invitation.extend({
  link: z.string().optional().meta({
    description:
      'Only if the service sends no email. Otherwise the link is sent to the address and not shown here, because opening it verifies the address.',
  }),
})
export type Invited = z.infer<typeof Invited>
export const AcceptInvitation = z.strictObject({
  token: z.string().min(1).max(200),
  name: optional(PersonName),
  password: Password,
  code: optional(z.string().max(40)).meta({
    description:
      'For an account with two-factor authentication: a code of the authenticator app or a recovery code. Without it, such an account gets a 400 with the path code.',
  }),
})
export type AcceptInvitation = z.infer<typeof AcceptInvitation>
export const PreviewInvitation = AcceptInvitation.pick({ token: true })
/** What a person with an invitation link sees before joining. */
export const InvitationPreview = z.object({
  workspaceName: z.string(),
  invitedBy: z.string().optional().meta({
    description: 'Name of the member who sent the invitation. Left out if they are no longer a member.',
  }),
  email: z.string(),
  role: Role,
  createdAt: Timestamp,
  expiresAt: Timestamp,
  hasExpired: z.boolean(),
})
export type InvitationPreview = z.infer<typeof InvitationPreview>
export const InvitationAccepted = z.object({ workspaceId: WorkspaceId, email: z.string() })
export type InvitationAccepted = z.infer<typeof InvitationAccepted>
