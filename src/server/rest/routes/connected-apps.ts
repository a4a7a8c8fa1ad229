import { z } from 'zod'
import { AllowConnectedApps, ConnectedApps } from '../../../contract/connected-app.ts'
import { GrantId } from '../../../contract/ids.ts'
import { allowConnectedApps, disconnectApp, listConnectedApps } from '../../domain/oauth/connected-apps.ts'
import { defineRoute } from '../route.ts'

export const connectedAppRoutes = [
  defineRoute({
    method: 'get',
    path: '/connected-apps',
    operationId: 'connectedApps',
    who: 'member',
    summary: 'List the apps that you connected with OAuth; as an admin, those of all members.',
    responses: { 200: ConnectedApps },
    async handle(service, { actor }) {
      return { status: 200, body: await listConnectedApps(service, actor) }
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/connected-apps',
    operationId: 'allowConnectedApps',
    who: 'member',
    role: 'admin',
    summary:
      'Allow members to connect apps, or not. If not, all connected apps lose access within five seconds. Allowing them requires a code if you have two-factor, else your password.',
    body: AllowConnectedApps,
    confirms: ({ allowed }) => allowed,
    responses: { 200: ConnectedApps },
    async handle(service, { actor, body }) {
      return { status: 200, body: await allowConnectedApps(service, actor, body.allowed) }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/connected-apps/{grantId}',
    operationId: 'disconnectApp',
    who: 'member',
    summary:
      'Disconnect an app: your own, or any as an admin. It loses access within five seconds on all nodes.',
    params: z.object({ grantId: GrantId }),
    responses: { 204: undefined },
    async handle(service, { actor, params }) {
      await disconnectApp(service, actor, params.grantId)
      return { status: 204 }
    },
  }),
]
