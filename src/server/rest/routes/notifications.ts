import { z } from 'zod'
import { DeliveryId } from '../../../contract/ids.ts'
import { ChooseMail, Notifications, SetChat } from '../../../contract/notification.ts'
import { sendTestChat, sendTestMail } from '../../domain/notifications/send-test.ts'
import { chooseMail, findNotifications, removeChat, setChat } from '../../domain/notifications/settings.ts'
import { defineRoute } from '../route.ts'

const Sent = z.object({ deliveryId: DeliveryId })

export const notificationRoutes = [
  defineRoute({
    method: 'get',
    path: '/notifications',
    who: 'member',
    summary: 'How people hear of new tasks: your mail, and the workspace’s channel.',
    answers: { 200: Notifications },
    async handle(service, { actor }) {
      return { status: 200, body: await findNotifications(service, actor) }
    },
  }),
  defineRoute({
    method: 'put',
    path: '/notifications/mail',
    who: 'member',
    summary: 'Choose which new tasks you get a mail for. None is sent until your address is verified.',
    body: ChooseMail,
    answers: { 200: Notifications },
    async handle(service, { actor, body }) {
      return { status: 200, body: await chooseMail(service, actor, body.for) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/notifications/mail/test',
    who: 'member',
    summary: 'Send yourself a test mail.',
    body: z.strictObject({}),
    answers: { 202: Sent },
    async handle(service, { actor }) {
      return { status: 202, body: { deliveryId: await sendTestMail(service, actor) } }
    },
  }),
  defineRoute({
    method: 'put',
    path: '/notifications/chat',
    who: 'member',
    role: 'admin',
    summary: 'Tell a channel of new tasks, by a Slack-compatible incoming webhook.',
    body: SetChat,
    answers: { 200: Notifications },
    async handle(service, { actor, body }) {
      return { status: 200, body: await setChat(service, actor, body) }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/notifications/chat',
    who: 'member',
    role: 'admin',
    summary: 'Tell the channel nothing any more.',
    answers: { 204: undefined },
    async handle(service, { actor }) {
      await removeChat(service, actor)
      return { status: 204 }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/notifications/chat/test',
    who: 'member',
    role: 'admin',
    summary: 'Send a test message to the channel.',
    body: z.strictObject({}),
    answers: { 202: Sent },
    async handle(service, { actor }) {
      return { status: 202, body: { deliveryId: await sendTestChat(service, actor) } }
    },
  }),
]
