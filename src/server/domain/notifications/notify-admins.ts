import type { Role } from '../../../contract/workspace.ts'
import { newId } from '../../lib/ids.ts'
import { insertDeliveries, type NewDelivery } from '../../storage/delivery/deliveries.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { findChatRoute } from '../../storage/notifications/routes.ts'
import { listMembers } from '../../storage/people/members.ts'
import { isAtLeast } from '../actor.ts'
import type { Service } from '../service.ts'
import type { MailBody } from './mail/compose-mail.ts'
import { adminChat } from './messages.ts'

export type AdminNotice = {
  eventType: string
  /** Who knows already. */
  except: string | undefined
  subject: string
  text: string
  links: { label: string; url: string }[]
}

/** Mails every admin with a verified address, and posts to the chat webhook. They did not ask for it, but are responsible. */
export async function notifyAdmins(
  { sendMail }: Service,
  tx: Transaction,
  notice: AdminNotice,
): Promise<void> {
  const about = { eventType: notice.eventType, taskId: undefined, url: undefined }
  const admins = (await listMembers(tx)).filter(
    ({ userId, role, emailVerified }) =>
      emailVerified && userId !== notice.except && isAtLeast(role as Role, 'admin'),
  )
  const { subject, text, links } = notice
  const mail: MailBody = { about: 'admins', notice: { subject, text, links } }
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
