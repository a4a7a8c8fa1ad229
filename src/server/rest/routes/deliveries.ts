import { z } from 'zod'
import {
  Delivery,
  DeliveryPage,
  DeliveryWithBody,
  ListDeliveries,
  Redelivered,
  RedeliverSince,
  RevealSecret,
  SendTestEvent,
  TaskDeliveries,
  WebhookSecrets,
} from '../../../contract/delivery.ts'
import { DeliveryId, TaskId } from '../../../contract/ids.ts'
import {
  findDelivery,
  listDeliveries,
  listTaskDeliveries,
  redeliver,
  redeliverFailed,
  sendTestEvent,
} from '../../domain/delivery/delivery-log.ts'
import { renewWebhookSecret, revealWebhookSecret } from '../../domain/delivery/webhook-secret.ts'
import { defineRoute } from '../route.ts'

export const deliveryRoutes = [
  defineRoute({
    method: 'get',
    path: '/deliveries',
    who: 'member',
    role: 'admin',
    summary: 'Everything that was sent to receivers, newest first, with every attempt.',
    query: ListDeliveries,
    answers: { 200: DeliveryPage },
    async handle(service, { actor, query }) {
      return { status: 200, body: await listDeliveries(service, actor, query) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/deliveries/{deliveryId}',
    who: 'member',
    role: 'admin',
    summary: 'One delivery with every attempt and the body that is sent.',
    params: z.object({ deliveryId: DeliveryId }),
    answers: { 200: DeliveryWithBody },
    async handle(service, { actor, params }) {
      return { status: 200, body: await findDelivery(service, actor, params.deliveryId) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/tasks/{taskId}/deliveries',
    who: 'member',
    summary: 'What became of the result of a task: arrived, on its way, given up.',
    params: z.object({ taskId: TaskId }),
    answers: { 200: TaskDeliveries },
    async handle(service, { actor, params }) {
      return { status: 200, body: { deliveries: await listTaskDeliveries(service, actor, params.taskId) } }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/deliveries/{deliveryId}/redeliver',
    who: 'member',
    role: 'admin',
    summary: 'Send a delivery once more, with the same id and the same bytes.',
    params: z.object({ deliveryId: DeliveryId }),
    body: z.strictObject({}),
    answers: { 202: Delivery },
    async handle(service, { actor, params }) {
      return { status: 202, body: await redeliver(service, actor, params.deliveryId) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/deliveries/redeliver',
    who: 'member',
    role: 'admin',
    summary: 'Send all failed deliveries since a moment once more.',
    body: RedeliverSince,
    answers: { 202: Redelivered },
    async handle(service, { actor, body }) {
      return { status: 202, body: { count: await redeliverFailed(service, actor, body.since) } }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/webhooks/secret/reveal',
    who: 'member',
    role: 'admin',
    summary: 'Show the secret that callbacks are signed with. Needs your password once more.',
    body: RevealSecret,
    throttleKey: (_, { email }) => email,
    answers: { 200: WebhookSecrets },
    async handle(service, { actor, body }) {
      return { status: 200, body: await revealWebhookSecret(service, actor, body.password) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/webhooks/secret/rotate',
    who: 'member',
    role: 'admin',
    summary: 'Make a new signing secret. For 24 hours the old one signs along.',
    body: z.strictObject({}),
    answers: { 200: WebhookSecrets },
    async handle(service, { actor }) {
      return { status: 200, body: await renewWebhookSecret(service, actor) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/webhooks/test',
    who: 'member',
    role: 'admin',
    summary: 'Send a signed test event to a URL.',
    body: SendTestEvent,
    answers: { 202: Delivery },
    async handle(service, { actor, body }) {
      return { status: 202, body: await sendTestEvent(service, actor, body.url) }
    },
  }),
]
