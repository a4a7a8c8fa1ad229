import { z } from 'zod'
import {
  AccessWebhookSecret,
  Delivery,
  DeliveryPage,
  DeliveryWithBody,
  ListDeliveries,
  Redelivered,
  RedeliverSince,
  SendTestEvent,
  TaskDeliveries,
  WebhookSecrets,
} from '../../../contract/delivery.ts'
import { Empty } from '../../../contract/field.ts'
import { DeliveryId, TaskId } from '../../../contract/ids.ts'
import { limits } from '../../../contract/limits.ts'
import {
  findDelivery,
  listDeliveries,
  listTaskDeliveries,
  redeliver,
  redeliverFailed,
  sendTestEvent,
} from '../../domain/delivery/delivery-log.ts'
import { revealWebhookSecret, rotateWebhookSecret } from '../../domain/delivery/webhook-secret.ts'
import { howToConfirm } from '../confirm.ts'
import { defineRoute } from '../route.ts'

export const deliveryRoutes = [
  defineRoute({
    method: 'get',
    path: '/deliveries',
    operationId: 'deliveries',
    who: 'member',
    role: 'admin',
    summary: 'List deliveries with every attempt, newest first.',
    query: ListDeliveries,
    responses: { 200: DeliveryPage },
    async handle(service, { actor, query }) {
      return { status: 200, body: await listDeliveries(service, actor, query) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/deliveries/{deliveryId}',
    operationId: 'delivery',
    who: 'member',
    role: 'admin',
    summary: 'Get a delivery with every attempt and its body.',
    params: z.object({ deliveryId: DeliveryId }),
    responses: { 200: DeliveryWithBody },
    async handle(service, { actor, params }) {
      return { status: 200, body: await findDelivery(service, actor, params.deliveryId) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/tasks/{taskId}/deliveries',
    operationId: 'taskDeliveries',
    who: 'member',
    summary: `List the newest ${limits.pageMax} deliveries of a task, whether delivered, pending or failed.`,
    params: z.object({ taskId: TaskId }),
    responses: { 200: TaskDeliveries },
    async handle(service, { actor, params }) {
      return { status: 200, body: { deliveries: await listTaskDeliveries(service, actor, params.taskId) } }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/deliveries/{deliveryId}/redeliver',
    operationId: 'redeliver',
    who: 'member',
    role: 'admin',
    summary:
      'Send a delivery again, with the same event ID. Emails, push messages and Slack messages are composed again; the others keep their body.',
    params: z.object({ deliveryId: DeliveryId }),
    body: Empty,
    responses: { 202: Delivery },
    async handle(service, { actor, params }) {
      return { status: 202, body: await redeliver(service, actor, params.deliveryId) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/deliveries/redeliver',
    operationId: 'redeliverFailed',
    who: 'member',
    role: 'admin',
    summary:
      'Send again all deliveries that have failed since a given time, except those whose body was deleted.',
    body: RedeliverSince,
    responses: { 202: Redelivered },
    async handle(service, { actor, body }) {
      return { status: 202, body: { count: await redeliverFailed(service, actor, body.since) } }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/webhooks/secret/reveal',
    operationId: 'revealWebhookSecret',
    who: 'member',
    role: 'admin',
    summary: `Show the webhook secret, which signs callbacks. Requires ${howToConfirm}.`,
    body: AccessWebhookSecret,
    confirms: () => true,
    responses: { 200: WebhookSecrets },
    async handle(service, { actor }) {
      return { status: 200, body: await revealWebhookSecret(service, actor) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/webhooks/secret/rotate',
    operationId: 'rotateWebhookSecret',
    who: 'member',
    role: 'admin',
    summary: `Create a new webhook secret and show it with the previous one. For 24 hours, callbacks are also signed with the previous one. Requires ${howToConfirm}.`,
    body: AccessWebhookSecret,
    confirms: () => true,
    responses: { 200: WebhookSecrets },
    async handle(service, { actor }) {
      return { status: 200, body: await rotateWebhookSecret(service, actor) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/webhooks/test',
    operationId: 'sendTestEvent',
    who: 'member',
    role: 'admin',
    summary: 'Send a signed test event to a URL.',
    body: SendTestEvent,
    responses: { 202: Delivery },
    async handle(service, { actor, body }) {
      return { status: 202, body: await sendTestEvent(service, actor, body.url) }
    },
  }),
]
