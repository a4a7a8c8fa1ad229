import { z } from 'zod'
import { InvitationId } from '../../../contract/ids.ts'
import {
  AcceptInvitation,
  InvitationAccepted,
  InvitationPreview,
  Invitations,
  Invite,
  Invited,
  PreviewInvitation,
} from '../../../contract/invitation.ts'
import { acceptInvitation } from '../../domain/workspaces/accept-invitation.ts'
import {
  findInvitedEmail,
  invite,
  listInvitations,
  previewInvitation,
  revokeInvitation,
} from '../../domain/workspaces/invitations.ts'
import { howToConfirm } from '../confirm.ts'
import { defineRoute, deviceOf } from '../route.ts'

export const invitationRoutes = [
  defineRoute({
    method: 'get',
    path: '/invitations',
    operationId: 'invitations',
    who: 'member',
    role: 'admin',
    summary: 'List invitations that have neither been accepted nor expired.',
    responses: { 200: Invitations },
    async handle(service, { actor }) {
      return { status: 200, body: { invitations: await listInvitations(service, actor) } }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/invitations',
    operationId: 'invite',
    who: 'member',
    role: 'admin',
    summary: `Invite a person. If the service sends email, the link is sent only to the address; otherwise the response contains it. Inviting an owner requires ${howToConfirm}.`,
    body: Invite,
    // Only owners may invite an owner: others are refused without being asked to confirm.
    confirms: ({ role }, actor) => role === 'owner' && actor.role === 'owner',
    responses: { 201: Invited },
    async handle(service, { actor, body: { email, role } }) {
      return { status: 201, body: await invite(service, actor, { email, role }) }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/invitations/{invitationId}',
    operationId: 'revokeInvitation',
    who: 'member',
    role: 'admin',
    summary: 'Revoke an invitation.',
    params: z.object({ invitationId: InvitationId }),
    responses: { 204: undefined },
    async handle(service, { actor, params }) {
      await revokeInvitation(service, actor, params.invitationId)
      return { status: 204 }
    },
  }),
  defineRoute({
    // POST, so that the token appears in no URL and no log.
    method: 'post',
    path: '/invitations/preview',
    operationId: 'previewInvitation',
    who: 'anyone',
    summary:
      'Show who invites whom to which workspace, given the token of an invitation link. Changes nothing.',
    body: PreviewInvitation,
    responses: { 200: InvitationPreview },
    async handle(service, { body }) {
      return { status: 200, body: await previewInvitation(service, body.token) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/invitations/accept',
    operationId: 'acceptInvitation',
    who: 'anyone',
    skipsNewDeviceMail: true,
    summary:
      'Join a workspace with the token of an invitation link, and sign in. If the link was mailed to the unverified address of an existing account, the password of this call replaces that of the account, as in a password reset.',
    body: AcceptInvitation,
    // Attempts are counted per account: otherwise each new link would allow more guesses at the
    // password of the invited person.
    throttleKey: async ({ token }, _, service) =>
      (await findInvitedEmail(service, token)) ?? `token ${token}`,
    responses: { 200: InvitationAccepted },
    async handle(service, { body, headers, from }) {
      const { accepted, cookies } = await acceptInvitation(service, body, deviceOf(headers, from))
      return { status: 200, body: accepted, cookies }
    },
  }),
]
