import { z } from 'zod'
import { RequestPasswordReset, ResetPassword } from '../../../contract/account.ts'
import { requestPasswordReset, resetPassword } from '../../domain/workspaces/password-resets.ts'
import { defineRoute } from '../route.ts'

export const passwordResetRoutes = [
  defineRoute({
    method: 'post',
    path: '/password-resets',
    who: 'anyone',
    summary:
      'Have a link mailed that sets a new password. The answer is the same whether or not there is such an account.',
    body: RequestPasswordReset,
    // Apart from attempts to sign in: asking for a link must not shut out the one who knows the password.
    throttleKey: ({ email }) => `reset ${email}`,
    answers: { 202: z.object({}) },
    async handle(service, { body, from }) {
      requestPasswordReset(service, body.email, from)
      return { status: 202, body: {} }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/password-resets/accept',
    who: 'anyone',
    summary: 'Set a new password with the token of a mailed link. Ends all sessions of the person.',
    body: ResetPassword,
    throttleKey: ({ token }) => `token ${token}`,
    answers: { 204: undefined },
    async handle(service, { body, from }) {
      await resetPassword(service, body, from)
      return { status: 204 }
    },
  }),
]
