import { Empty } from '../../../contract/field.ts'
import {
  AddPushBrowser,
  ChooseNotifications,
  Notifications,
  PushBrowser,
  PushBrowserParams,
  SetChat,
  TestSent,
} from '../../../contract/notification.ts'
import { addPushBrowser, removePushBrowser } from '../../domain/notifications/push-browsers.ts'
import { sendTestChat, sendTestMail, sendTestPush } from '../../domain/notifications/send-test.ts'
import {
  chooseNotifications,
  findNotifications,
  removeChat,
  setChat,
} from '../../domain/notifications/settings.ts'
import { defineRoute, deviceOf } from '../route.ts'

export const notificationRoutes = [
  defineRoute({
    method: 'get',
    path: '/notifications',
    operationId: 'notifications',
    who: 'member',
    summary: 'Get the notification settings: your own choices and the chat webhook of the workspace.',
    responses: { 200: Notifications },
    async handle(service, { actor }) {
      return { status: 200, body: await findNotifications(service, actor) }
    },
  }),
  defineRoute({
    method: 'put',
    path: '/notifications',
    operationId: 'chooseNotifications',
    who: 'member',
    summary:
      'Choose which tasks you hear of by email, push and Slack, and your quiet hours. Emails are sent once your address is verified.',
    body: ChooseNotifications,
    responses: { 200: Notifications },
    async handle(service, { actor, body }) {
      return { status: 200, body: await chooseNotifications(service, actor, body) }
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
    method: 'post',
    path: '/notifications/push/browsers',
    operationId: 'addPushBrowser',
    who: 'member',
    summary: 'Add a browser that gets your push messages, with the subscription from its push service.',
    body: AddPushBrowser,
    responses: { 201: PushBrowser },
    async handle(service, { actor, body, headers, from }) {
      const { userAgent } = deviceOf(headers, from)
      return { status: 201, body: await addPushBrowser(service, actor, body, { userAgent, headers }) }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/notifications/push/browsers/{subscriptionId}',
    operationId: 'removePushBrowser',
    who: 'member',
    summary: 'Stop sending your push messages to a browser.',
    params: PushBrowserParams,
    responses: { 204: undefined },
    async handle(service, { actor, params }) {
      await removePushBrowser(service, actor, params.subscriptionId)
      return { status: 204 }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/notifications/push/test',
    operationId: 'sendTestPush',
    who: 'member',
    summary: 'Send a test message to the browsers that get your push messages.',
    body: Empty,
    responses: { 202: TestSent },
    async handle(service, { actor }) {
      return { status: 202, body: { deliveryId: await sendTestPush(service, actor) } }
    },
  }),
  defineRoute({
    method: 'put',
    path: '/notifications/chat',
    operationId: 'setChat',
    who: 'member',
    role: 'admin',
    summary:
      'Set the chat webhook: a Slack-compatible incoming webhook that gets new tasks, assignments to groups, reminders, escalations and paused rules.',
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
    summary: 'Remove the chat webhook.',
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
    summary: 'Send a test message to the chat webhook.',
    body: Empty,
    responses: { 202: TestSent },
    async handle(service, { actor }) {
      return { status: 202, body: { deliveryId: await sendTestChat(service, actor) } }
    },
  }),
]
