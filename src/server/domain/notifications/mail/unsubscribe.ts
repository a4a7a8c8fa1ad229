import type { UnsubscribePreview } from '../../../../contract/notification.ts'
import { readUnsubscribeToken, type Subscriber } from '../../../lib/unsubscribe-token.ts'
import { deleteRoute, findRoutes } from '../../../storage/notifications/routes.ts'
import { findMember } from '../../../storage/people/members.ts'
import { findWorkspace } from '../../../storage/people/workspaces.ts'
import { forbidden } from '../../problems.ts'
import type { Service } from '../../service.ts'

const invalidLink =
  'This link is not valid. Copy the complete link from the email, or turn emails off in Settings, Notifications.'

/** What the page behind the link in an email shows. Changes nothing. */
export async function previewUnsubscribe(service: Service, token: string): Promise<UnsubscribePreview> {
  const { workspaceId, userId } = requireSubscriber(service, token)
  return await service.database.inWorkspace(workspaceId, async (tx) => {
    const workspace = await findWorkspace(tx)
    const member = await findMember(tx, userId)
    if (!workspace || !member)
      throw forbidden('You are no longer a member of this workspace, so it sends you no emails.')
    const isOn = (await findRoutes(tx, userId)).some(({ medium }) => medium === 'mail')
    return { workspaceId, workspaceName: workspace.name, email: member.email, isOn }
  })
}

/** Needs no sign-in: whoever has the email may turn emails off. Also succeeds if they are already off. */
export async function unsubscribe(service: Service, token: string): Promise<void> {
  const { workspaceId, userId } = requireSubscriber(service, token)
  await service.database.inWorkspace(workspaceId, (tx) => deleteRoute(tx, userId, 'mail'))
}

function requireSubscriber({ secrets }: Service, token: string): Subscriber {
  const subscriber = readUnsubscribeToken(token, secrets.encryptionKey)
  if (!subscriber) throw forbidden(invalidLink)
  return subscriber
}
