import type { Role } from '../../../contract/workspace.ts'
import { newId } from '../../lib/ids.ts'
import { insertDeliveries, type NewDelivery } from '../../storage/delivery/deliveries.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { findChatRoute } from '../../storage/notifications/routes.ts'
import { listMembers } from '../../storage/people/members.ts'
import { isAtLeast } from '../actor.ts'
import type { Service } from '../service.ts'
import type { MailBody } from './mail/compose-mail.ts'
import { type AdminText, adminChat } from './messages.ts'

type AdminNotice = AdminText & {
  eventType: string
  /** The admin who caused the notice and gets no email about it. */
  except: string | undefined
}

/**
 * Queues an email to every admin with a verified address except `except`, even if they have not
 * turned emails on, and a post to the chat webhook. Skips what is not configured.
 */
export async function notifyAdmins(
  { sendMail }: Service,
  tx: Transaction,
  { eventType, except, ...notice }: AdminNotice,
): Promise<void> {
  const about = { eventType, taskId: undefined, url: undefined }
  const admins = (await listMembers(tx)).filter(
    ({ userId, role, emailVerified }) =>
      emailVerified && userId !== except && isAtLeast(role as Role, 'admin'),
  )
  const mail: MailBody = { about: 'admins', notice }
  const deliveries: NewDelivery[] = sendMail
    ? admins.map(({ userId }) => ({
        ...about,
        eventId: newId('event'),
        kind: 'mail',
        recipient: userId,
        body: JSON.stringify(mail),
      }))
    : []
  if (await findChatRoute(tx))
    deliveries.push({ ...about, eventId: newId('event'), kind: 'chat', body: adminChat(notice) })
  await insertDeliveries(tx, deliveries)
}
