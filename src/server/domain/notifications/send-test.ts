import { newId } from '../../lib/ids.ts'
import { insertDelivery } from '../../storage/delivery/deliveries.ts'
import { findChatRoute } from '../../storage/notifications/routes.ts'
import { findWorkspace } from '../../storage/people/workspaces.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import { conflict, DomainProblem } from '../problems.ts'
import type { Service } from '../service.ts'
import type { MailBody } from './mail/compose-mail.ts'
import { testChat } from './messages.ts'
import { listPushBrowsers } from './push-browsers.ts'
import { pushBody } from './push-message.ts'

/**
 * Queues the test like a real notification, so that it covers the whole path. Returns the id of the
 * delivery.
 */
export async function sendTestMail(service: Service, actor: PersonActor): Promise<string> {
  if (!service.sendMail) {
    throw new DomainProblem('unavailable', 'This service cannot send email. The operator can set SMTP_URL.')
  }
  if (!actor.emailVerified)
    throw conflict('Your email address is not verified. Verify it in Settings, Your account, then try again.')
  return await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    const body: MailBody = { about: 'test' }
    return await insertDelivery(tx, {
      ...testEvent(),
      kind: 'mail',
      recipient: actor.id,
      body: JSON.stringify(body),
    })
  })
}

export async function sendTestPush(service: Service, actor: PersonActor): Promise<string> {
  return await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    if ((await listPushBrowsers(tx, actor.id)).length === 0)
      throw conflict('None of your browsers gets push messages. Turn them on in a browser first.')
    const body = pushBody({ isTest: true })
    return await insertDelivery(tx, { ...testEvent(), kind: 'push', recipient: actor.id, body })
  })
}

export async function sendTestChat(service: Service, actor: PersonActor): Promise<string> {
  requireRole(actor, 'admin')
  return await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    if (!(await findChatRoute(tx)))
      throw new DomainProblem('not_found', 'This workspace has no chat webhook. Add one first.')
    const { name } = (await findWorkspace(tx))!
    return await insertDelivery(tx, {
      ...testEvent(),
      kind: 'chat',
      body: testChat(name, `${service.publicUrl}/w/${actor.workspaceId}/inbox`),
    })
  })
}

export function testEvent() {
  return { eventId: newId('event'), eventType: 'service/test', taskId: undefined, url: undefined }
}
