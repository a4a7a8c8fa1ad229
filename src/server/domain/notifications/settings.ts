import type { ChatFor, MailFor, Notifications, SetChat } from '../../../contract/notification.ts'
import { open, seal } from '../../lib/sealed-text.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import { chatRoute, deleteRoute, findRoute, saveRoute } from '../../storage/delivery/notification-routes.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import { callbackUrlProblem } from '../delivery/check-callback-url.ts'
import { invalidRequest } from '../problems.ts'
import type { Service } from '../service.ts'

/** Indices into `priorities`: a route gets tasks up to this index. -1 is only tasks assigned to the person. */
const upToOf: Record<Exclude<MailFor, 'never'>, number> = { assigned: -1, urgent: 0, high: 1, all: 3 }
const nameOf = new Map(Object.entries(upToOf).map(([name, upTo]) => [upTo, name]))

export async function findNotifications(service: Service, actor: PersonActor): Promise<Notifications> {
  const [mine, chat] = await service.database.inWorkspace(actor.workspaceId, async (tx) => [
    await findRoute(tx, actor.id),
    await findRoute(tx, chatRoute),
  ])
  const url = chat && open(chat.sealedUrl!, service.secrets.encryptionKey, actor.workspaceId)
  return {
    mail: {
      available: service.sendMail !== undefined,
      for: mine ? (nameOf.get(mine.upTo) as MailFor) : 'never',
    },
    ...(chat && { chat: { host: new URL(url!).host, for: nameOf.get(chat.upTo) as ChatFor } }),
  }
}

export async function chooseMail(
  service: Service,
  actor: PersonActor,
  choice: MailFor,
): Promise<Notifications> {
  await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    if (choice === 'never') await deleteRoute(tx, actor.id)
    else await saveRoute(tx, actor.id, upToOf[choice], null)
  })
  return await findNotifications(service, actor)
}

export async function setChat(service: Service, actor: PersonActor, input: SetChat): Promise<Notifications> {
  requireRole(actor, 'admin')
  const problem = callbackUrlProblem(input.url, service.mayCall)
  if (problem) throw invalidRequest([{ path: 'url', message: problem }])
  // Anyone who knows the URL can post to the channel, so it is stored like a secret.
  const sealed = seal(input.url, service.secrets.encryptionKey, actor.workspaceId)
  await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    await saveRoute(tx, chatRoute, upToOf[input.for], sealed)
    await appendAudit(tx, {
      actor: actor.id,
      from: actor.from,
      action: 'chat_notifications.set',
      subject: actor.workspaceId,
      details: { host: new URL(input.url).host, for: input.for },
    })
  })
  return await findNotifications(service, actor)
}

export async function removeChat(service: Service, actor: PersonActor): Promise<void> {
  requireRole(actor, 'admin')
  await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    if (!(await deleteRoute(tx, chatRoute))) return
    await appendAudit(tx, {
      actor: actor.id,
      from: actor.from,
      action: 'chat_notifications.removed',
      subject: actor.workspaceId,
    })
  })
}
