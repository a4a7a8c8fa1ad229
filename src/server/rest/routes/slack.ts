import { Empty } from '../../../contract/field.ts'
import { TestSent } from '../../../contract/notification.ts'
import { ConnectSlack, SendTestSlack, SetSlackChannels, Slack, SlackCode } from '../../../contract/slack.ts'
import { createSlackCode, unlinkSlack } from '../../domain/notifications/slack/link.ts'
import {
  connectSlack,
  disconnectSlack,
  findSlack,
  sendTestSlack,
  setSlackChannels,
} from '../../domain/notifications/slack/slack-settings.ts'
import { defineRoute } from '../route.ts'

export const slackRoutes = [
  defineRoute({
    method: 'get',
    path: '/slack',
    operationId: 'slack',
    who: 'member',
    role: 'admin',
    summary: 'Get the connection to Slack, its channels, and the manifest of the Slack app to create.',
    responses: { 200: Slack },
    async handle(service, { actor }) {
      return { status: 200, body: await findSlack(service, actor) }
    },
  }),
  defineRoute({
    method: 'put',
    path: '/slack',
    operationId: 'connectSlack',
    who: 'member',
    role: 'admin',
    summary:
      'Connect the workspace to Slack, or replace the secrets. A different signing secret unlinks the Slack users of all members; a different Slack workspace also removes all channels.',
    body: ConnectSlack,
    responses: { 200: Slack },
    async handle(service, { actor, body }) {
      return { status: 200, body: await connectSlack(service, actor, body) }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/slack',
    operationId: 'disconnectSlack',
    who: 'member',
    role: 'admin',
    summary: 'Disconnect Slack. Unlinks the Slack users of all members and removes all channels.',
    responses: { 204: undefined },
    async handle(service, { actor }) {
      await disconnectSlack(service, actor)
      return { status: 204 }
    },
  }),
  defineRoute({
    method: 'put',
    path: '/slack/channels',
    operationId: 'setSlackChannels',
    who: 'member',
    role: 'admin',
    summary: 'Replace the Slack channels that get tasks: all tasks, those of a policy, or those of a group.',
    body: SetSlackChannels,
    responses: { 200: Slack },
    async handle(service, { actor, body }) {
      return { status: 200, body: await setSlackChannels(service, actor, body) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/slack/test',
    operationId: 'sendTestSlack',
    who: 'member',
    role: 'admin',
    summary: 'Send a test message to a Slack channel.',
    body: SendTestSlack,
    responses: { 202: TestSent },
    async handle(service, { actor, body }) {
      return { status: 202, body: { deliveryId: await sendTestSlack(service, actor, body.channelId) } }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/notifications/slack/code',
    operationId: 'createSlackCode',
    who: 'member',
    summary:
      'Create a code that links your Slack user to you when you send it to the Slack app. Replaces your previous code.',
    body: Empty,
    responses: { 201: SlackCode },
    async handle(service, { actor, headers }) {
      return { status: 201, body: await createSlackCode(service, actor, headers) }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/notifications/slack',
    operationId: 'unlinkSlack',
    who: 'member',
    summary: 'Unlink your Slack user. Clicks in Slack no longer count as yours.',
    responses: { 204: undefined },
    async handle(service, { actor }) {
      await unlinkSlack(service, actor)
      return { status: 204 }
    },
  }),
]
