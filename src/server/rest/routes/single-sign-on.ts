import { Empty } from '../../../contract/field.ts'
import {
  CompleteSingleSignOn,
  ConfirmSingleSignOn,
  SingleSignOnResult,
  SingleSignOnStarted,
  UseSignInLink,
} from '../../../contract/single-sign-on.ts'
import { completeSingleSignOn } from '../../domain/single-sign-on/complete.ts'
import { confirmSingleSignOn, emailOfLink } from '../../domain/single-sign-on/confirm.ts'
import { startSingleSignOn } from '../../domain/single-sign-on/start.ts'
import { useSignInLink } from '../../domain/workspaces/sign-in-links.ts'
import { defineRoute, deviceOf } from '../route.ts'

export const singleSignOnRoutes = [
  defineRoute({
    method: 'post',
    path: '/single-sign-on',
    operationId: 'startSingleSignOn',
    who: 'anyone',
    summary: 'Start a sign-in with the identity provider. Sets a cookie that is required to complete it.',
    body: Empty,
    responses: { 200: SingleSignOnStarted },
    async handle(service) {
      const { started, cookies } = await startSingleSignOn(service)
      return { status: 200, body: started, cookies }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/single-sign-on/complete',
    operationId: 'completeSingleSignOn',
    who: 'anyone',
    summary:
      'Sign in with the response of the identity provider, or get a token for linking an existing account with its password.',
    body: CompleteSingleSignOn,
    responses: { 200: SingleSignOnResult },
    async handle(service, { body, headers, from }) {
      const sealedSecrets = await service.people.singleSignOnCookie.read(headers)
      const { query } = body
      const completed = await completeSingleSignOn(service, { query, sealedSecrets }, deviceOf(headers, from))
      return { status: 200, body: completed.result, cookies: completed.cookies }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/single-sign-on/confirm',
    operationId: 'confirmSingleSignOn',
    who: 'anyone',
    summary:
      'Link single sign-on to an existing account with its password, and sign in. If the address of the account was not verified before, it is verified now, all other access to the account ends, and its password and second factor are removed.',
    body: ConfirmSingleSignOn,
    throttleKey: ({ linkToken }, _, service) => emailOfLink(service, linkToken) ?? 'an invalid link token',
    responses: { 200: Empty },
    async handle(service, { body, headers, from }) {
      const { cookies } = await confirmSingleSignOn(service, body, deviceOf(headers, from))
      return { status: 200, body: {}, cookies }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/sign-in-links/use',
    operationId: 'useSignInLink',
    who: 'anyone',
    summary: 'Sign in with the token of a link that the operator created.',
    body: UseSignInLink,
    throttleKey: ({ token }) => `token ${token}`,
    responses: { 200: Empty },
    async handle(service, { body, headers, from }) {
      const cookies = await useSignInLink(service, body.token, deviceOf(headers, from))
      return { status: 200, body: {}, cookies }
    },
  }),
]
