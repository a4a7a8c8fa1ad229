import { RequestPasswordReset, ResetPassword } from '../../../contract/account.ts'
import { Empty } from '../../../contract/field.ts'
import { requestPasswordReset, resetPassword } from '../../domain/workspaces/password-resets.ts'
import { defineRoute } from '../route.ts'

export const passwordResetRoutes = [
  defineRoute({
    method: 'post',
    path: '/password-resets',
    operationId: 'requestPasswordReset',
    who: 'anyone',
    summary:
      'Request a link by email that sets a new password. The response is the same whether or not the account exists.',
    body: RequestPasswordReset,
    // Counted separately from sign-in attempts: requesting links must not lock out someone who
    // knows the password.
    throttleKey: ({ email }) => `reset ${email}`,
    responses: { 202: Empty },
    async handle(service, { body, from }) {
      requestPasswordReset(service, body.email, from)
      return { status: 202, body: {} }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/password-resets/accept',
    operationId: 'resetPassword',
    who: 'anyone',
    summary:
      'Set a new password with the token of an emailed link. Ends all sessions of the person, and disconnects their apps, Slack and push messages. If their address was not verified before, it is verified now, and two-factor is turned off.',
    body: ResetPassword,
    throttleKey: ({ token }) => `token ${token}`,
    responses: { 204: undefined },
    async handle(service, { body, from }) {
      await resetPassword(service, body, from)
      return { status: 204 }
    },
  }),
]
