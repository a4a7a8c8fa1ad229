import {
  AuthorizationDecision,
  AuthorizationPreview,
  DecideAuthorization,
  PreviewAuthorization,
} from '../../../contract/connected-app.ts'
import { decideAuthorization, previewAuthorization } from '../../domain/oauth/consent.ts'
import { defineRoute } from '../route.ts'

export const authorizationRoutes = [
  defineRoute({
    method: 'post',
    path: '/authorizations/preview',
    operationId: 'previewAuthorization',
    who: 'person',
    summary: 'Show which app asks to be connected, for the consent page.',
    body: PreviewAuthorization,
    responses: { 200: AuthorizationPreview },
    async handle(service, { actor, body }) {
      return { status: 200, body: await previewAuthorization(service, actor, body.query) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/authorizations',
    operationId: 'decideAuthorization',
    who: 'person',
    summary:
      'Allow an app access to a workspace, or decline. Returns the address that leads back to the app.',
    body: DecideAuthorization,
    responses: { 200: AuthorizationDecision },
    async handle(service, { actor, body, headers, from }) {
      return { status: 200, body: await decideAuthorization(service, actor, body, headers, from) }
    },
  }),
]
