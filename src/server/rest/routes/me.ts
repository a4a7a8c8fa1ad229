import { ChangeMe } from '../../../contract/account.ts'
import { Empty } from '../../../contract/field.ts'
import { Me, type Role } from '../../../contract/workspace.ts'
import { presentKeyLimits } from '../../domain/workspaces/api-keys.ts'
import { requestVerification } from '../../domain/workspaces/password-resets.ts'
import { renamePerson } from '../../domain/workspaces/rename-person.ts'
import { needsTwoFactor } from '../../domain/workspaces/two-factor-requirement.ts'
import { defineRoute } from '../route.ts'

export const meRoutes = [
  defineRoute({
    method: 'get',
    path: '/me',
    operationId: 'me',
    who: 'caller',
    summary: 'Show the caller: an API key with its workspace, or a person with their workspaces.',
    responses: { 200: Me },
    async handle(_service, { actor }) {
      if (actor.kind === 'key') {
        const { keyId, name, scopes, workspaceId, workspaceName } = actor.owner
        const body: Me = {
          kind: 'key',
          workspace: { workspaceId, name: workspaceName },
          key: { keyId, name, scopes, ...presentKeyLimits(actor.owner) },
        }
        return { status: 200, body }
      }
      const { id, email, emailVerified, name, hasTwoFactor, amr, workspaces } = actor.person
      const body: Me = {
        kind: 'person',
        person: {
          userId: id,
          email,
          emailVerified,
          name,
          hasTwoFactor,
          signedInWith: amr === null ? 'password' : 'single-sign-on',
        },
        workspaces: workspaces.map(({ workspaceId, workspaceName, role }) => ({
          workspaceId,
          name: workspaceName,
          role: role as Role,
          ...(needsTwoFactor(actor.person, workspaceId) && { needsTwoFactor: true as const }),
        })),
      }
      return { status: 200, body }
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/me',
    operationId: 'rename',
    who: 'person',
    summary: 'Change your name, as other members and agents see it.',
    body: ChangeMe,
    responses: { 204: undefined },
    async handle(service, { actor, body, from }) {
      await renamePerson(service, actor.id, body.name, from)
      return { status: 204 }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/me/verification',
    operationId: 'sendVerification',
    who: 'person',
    summary:
      'Request a link by email that verifies your address. Using the link sets a new password, ends all sessions, disconnects apps, Slack and push messages, and turns off an existing second factor.',
    throttleKey: (_, { email }) => `verification ${email}`,
    responses: { 202: Empty },
    async handle(service, { actor, from }) {
      await requestVerification(service, actor, from)
      return { status: 202, body: {} }
    },
  }),
]
