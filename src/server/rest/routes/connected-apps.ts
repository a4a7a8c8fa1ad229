import { z } from 'zod'
import { AllowConnectedApps, ConnectedApps } from '../../../contract/connected-app.ts'
import { GrantId } from '../../../contract/ids.ts'
import { allowConnectedApps, disconnectApp, listConnectedApps } from '../../domain/oauth/connected-apps.ts'
import { howToConfirm } from '../confirm.ts'
import { defineRoute } from '../route.ts'

export const connectedAppRoutes = [
  defineRoute({
    method: 'get',
    path: '/connected-apps',
    operationId: 'connectedApps',
    who: 'member',
    summary: 'List the apps that you have connected with OAuth. Admins see the apps of all members.',
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
    summary: `Set whether members may connect apps. If members may no longer connect apps, all connected apps lose access within five seconds. Allowing it requires ${howToConfirm}.`,
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
      'Disconnect an app that you have connected; admins can disconnect any app. It loses access within five seconds on all nodes.',
    params: z.object({ grantId: GrantId }),
    responses: { 204: undefined },
    async handle(service, { actor, params }) {
      await disconnectApp(service, actor, params.grantId)
      return { status: 204 }
    },
  }),
]
