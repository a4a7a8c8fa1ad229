import { Empty } from '../../../contract/field.ts'
import { ChooseMail, Notifications, SetChat, TestSent } from '../../../contract/notification.ts'
import { sendTestChat, sendTestMail } from '../../domain/notifications/send-test.ts'
import { chooseMail, findNotifications, removeChat, setChat } from '../../domain/notifications/settings.ts'
import { defineRoute } from '../route.ts'

export const notificationRoutes = [
  defineRoute({
    method: 'get',
    path: '/notifications',
    operationId: 'notifications',
    who: 'member',
    summary: 'Get the notification settings: your email choice and the chat channel of the workspace.',
    responses: { 200: Notifications },
    async handle(service, { actor }) {
      return { status: 200, body: await findNotifications(service, actor) }
    },
  }),
  defineRoute({
    method: 'put',
    path: '/notifications/mail',
    operationId: 'chooseMail',
    who: 'member',
    summary: 'Choose for which new tasks you get an email. Nothing is sent until your address is verified.',
    body: ChooseMail,
    responses: { 200: Notifications },
    async handle(service, { actor, body }) {
      return { status: 200, body: await chooseMail(service, actor, body.for) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/notifications/mail/test',
    operationId: 'sendTestMail',
    who: 'member',
    summary: 'Send yourself a test email.',
    body: Empty,
    responses: { 202: TestSent },
    async handle(service, { actor }) {
      return { status: 202, body: { deliveryId: await sendTestMail(service, actor) } }
    },
  }),
  defineRoute({
    method: 'put',
    path: '/notifications/chat',
    operationId: 'setChat',
    who: 'member',
    role: 'admin',
    summary: 'Notify a chat channel of new tasks, with a Slack-compatible incoming webhook.',
    body: SetChat,
    responses: { 200: Notifications },
    async handle(service, { actor, body }) {
      return { status: 200, body: await setChat(service, actor, body) }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/notifications/chat',
    operationId: 'removeChat',
    who: 'member',
    role: 'admin',
    summary: 'Stop notifying the chat channel.',
    responses: { 204: undefined },
    async handle(service, { actor }) {
      await removeChat(service, actor)
      return { status: 204 }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/notifications/chat/test',
    operationId: 'sendTestChat',
    who: 'member',
    role: 'admin',
    summary: 'Send a test message to the channel.',
    body: Empty,
    responses: { 202: TestSent },
    async handle(service, { actor }) {
      return { status: 202, body: { deliveryId: await sendTestChat(service, actor) } }
    },
  }),
]
