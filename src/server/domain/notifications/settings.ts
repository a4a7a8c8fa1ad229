import type {
  ChooseNotifications,
  Notifications,
  QuietHours,
  SetChat,
  Want,
} from '../../../contract/notification.ts'
import { priorities } from '../../../contract/task-fields.ts'
import { open, seal } from '../../lib/sealed-text.ts'
import { deriveVapidKeys } from '../../lib/vapid.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { findQuietHours, type QuietHoursRow, saveQuietHours } from '../../storage/notifications/held.ts'
import {
  assignedWant,
  chatRecipient,
  deleteRoute,
  findChatRoute,
  findRoutes,
  saveRoute,
} from '../../storage/notifications/routes.ts'
import { findSlackConnection, findSlackUserName } from '../../storage/notifications/slack.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import { callbackUrlProblem } from '../delivery/check-callback-url.ts'
import { invalidRequest } from '../problems.ts'
import type { Service } from '../service.ts'
import { toChatFor, wantsOfChat } from './chat-wants.ts'
import { listPushBrowsers } from './push-browsers.ts'

export async function findNotifications(service: Service, actor: PersonActor): Promise<Notifications> {
  return await service.database.inWorkspace(actor.workspaceId, (tx) => present(service, tx, actor))
}

async function present(
  { sendMail, secrets: { encryptionKey } }: Service,
  tx: Transaction,
  { id, workspaceId }: PersonActor,
): Promise<Notifications> {
  const routes = await findRoutes(tx, id)
  const wantsIn = (medium: string) =>
    fromStoredWants(routes.find((route) => route.medium === medium)?.wants ?? [])
  const chat = await findChatRoute(tx)
  const quietHours = await findQuietHours(tx, id)
  return {
    mail: { available: sendMail !== undefined, wants: wantsIn('mail') },
    push: {
      publicKey: deriveVapidKeys(encryptionKey).publicKey,
      browsers: await listPushBrowsers(tx, id),
      wants: wantsIn('push'),
    },
    slack: { ...(await presentSlack(tx, id)), wants: wantsIn('slack') },
    ...(quietHours && { quietHours: presentQuietHours(quietHours) }),
    ...(chat && {
      chat: {
        host: new URL(open(chat.sealedUrl!, encryptionKey, workspaceId)).host,
        for: toChatFor(chat.wants),
      },
    }),
  }
}

async function presentSlack(tx: Transaction, userId: string) {
  const available = (await findSlackConnection(tx)) !== undefined
  const linkedTo = await findSlackUserName(tx, userId)
  return { available, ...(linkedTo !== undefined && { linkedTo }) }
}

export async function chooseNotifications(
  service: Service,
  actor: PersonActor,
  { quietHours, ...choices }: ChooseNotifications,
): Promise<Notifications> {
  return await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    for (const medium of ['mail', 'push', 'slack'] as const)
      await saveRoute(tx, { recipient: actor.id, medium, wants: choices[medium].map(toStoredWant) })
    await saveQuietHours(tx, actor.id, quietHours && toQuietHoursRow(quietHours))
    return await present(service, tx, actor)
  })
}

export async function setChat(service: Service, actor: PersonActor, input: SetChat): Promise<Notifications> {
  requireRole(actor, 'admin')
  const problem = callbackUrlProblem(input.url, service.mayCall)
  if (problem) throw invalidRequest([{ path: 'url', message: problem }])
  // Anyone who knows the URL can post to the chat, so it is encrypted like a secret.
  const sealedUrl = seal(input.url, service.secrets.encryptionKey, actor.workspaceId)
  await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    await saveRoute(tx, {
      recipient: chatRecipient,
      medium: 'chat',
      wants: wantsOfChat[input.for],
      sealedUrl,
    })
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
    if (!(await deleteRoute(tx, chatRecipient, 'chat'))) return
    await appendAudit(tx, {
      actor: actor.id,
      from: actor.from,
      action: 'chat_notifications.removed',
      subject: actor.workspaceId,
    })
  })
}

function toStoredWant(want: Want): number {
  return want === 'assigned' ? assignedWant : priorities.indexOf(want)
}

function fromStoredWants(wants: number[]): Want[] {
  const named = priorities.filter((_, index) => wants.includes(index))
  return wants.includes(assignedWant) ? [...named, 'assigned'] : named
}

function presentQuietHours({ fromMinute, toMinute, timeZone, exceptUrgent }: QuietHoursRow): QuietHours {
  return { from: formatTimeOfDay(fromMinute), to: formatTimeOfDay(toMinute), timeZone, exceptUrgent }
}

function toQuietHoursRow({ from, to, timeZone, exceptUrgent }: QuietHours): Omit<QuietHoursRow, 'userId'> {
  return { fromMinute: parseTimeOfDay(from), toMinute: parseTimeOfDay(to), timeZone, exceptUrgent }
}

function formatTimeOfDay(minute: number): string {
  const part = (value: number) => String(value).padStart(2, '0')
  return `${part(Math.floor(minute / 60))}:${part(minute % 60)}`
}

function parseTimeOfDay(timeOfDay: string): number {
  const [hours, minutes] = timeOfDay.split(':').map(Number)
  return hours! * 60 + minutes!
}
