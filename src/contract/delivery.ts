import { z } from 'zod'
import { confirmation } from './confirmation.ts'
import { Cursor, clampedInteger, optional, Timestamp, TimestampInput } from './field.ts'
import { DeliveryId, TaskId } from './ids.ts'
import { limits } from './limits.ts'

export const DeliveryAttempt = z.object({
  number: z.int(),
  at: Timestamp,
  status: z
    .int()
    .optional()
    .meta({ description: 'The status of the response. Absent if there was none, see error.' }),
  durationMilliseconds: z.int(),
  error: z.string().optional(),
  responseBody: z
    .string()
    .optional()
    .meta({ description: 'The start of the response, at most 1,024 characters.' }),
})
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>

export const DeliveryState = z.enum(['pending', 'delivered', 'failed'])

/** An event or a notification for one receiver, with every attempt so far. */
export const Delivery = z.object({
  deliveryId: DeliveryId,
  eventId: z.string(),
  eventType: z.string(),
  taskId: TaskId.optional(),
  kind: z.enum(['callback', 'sse', 'mail', 'chat', 'push', 'slack']),
  url: z.string().optional(),
  to: z.string().optional().meta({
    description:
      'The person that an email, a push message or a direct message in Slack is for, or the Slack channel.',
  }),
  state: DeliveryState.meta({
    description:
      'delivered: also a notification that was no longer needed; the error of its last attempt says so.',
  }),
  attemptCount: z.int(),
  nextAttemptAt: Timestamp.optional(),
  createdAt: Timestamp,
  endedAt: Timestamp.optional(),
  attempts: z.array(DeliveryAttempt),
})
export type Delivery = z.infer<typeof Delivery>

/** `body` is what is sent, or what an email, a push message or a Slack message is composed from. */
export const DeliveryWithBody = Delivery.extend({
  body: z.string().meta({ description: 'Empty if it was deleted with the content of the task.' }),
})
export type DeliveryWithBody = z.infer<typeof DeliveryWithBody>

export const ListDeliveries = z.strictObject({
  state: optional(DeliveryState),
  taskId: optional(TaskId),
  createdAfter: optional(TimestampInput),
  createdBefore: optional(TimestampInput),
  endedAfter: optional(TimestampInput),
  limit: optional(clampedInteger(1, limits.pageMax)),
  cursor: optional(Cursor),
})
export type ListDeliveries = z.infer<typeof ListDeliveries>
export const DeliveryPage = z.object({ deliveries: z.array(Delivery), nextCursor: z.string().nullable() })
export type DeliveryPage = z.infer<typeof DeliveryPage>

/** A delivery about a task as every member may see it: without the receiver and the attempts. */
export const TaskDelivery = Delivery.pick({
  deliveryId: true,
  eventType: true,
  kind: true,
  state: true,
  attemptCount: true,
  nextAttemptAt: true,
  createdAt: true,
  endedAt: true,
}).extend({
  lastStatus: z.int().optional().meta({ description: 'The status of the last response, if there was one.' }),
})
export type TaskDelivery = z.infer<typeof TaskDelivery>
export const TaskDeliveries = z.object({ deliveries: z.array(TaskDelivery) })
export type TaskDeliveries = z.infer<typeof TaskDeliveries>

export const RedeliverSince = z.strictObject({ since: TimestampInput })
export const Redelivered = z.object({ count: z.int() })

/** For revealing or rotating the webhook secret. */
export const AccessWebhookSecret = z.strictObject(confirmation)
/** During the overlap after a rotation, deliveries are signed with both secrets. */
export const WebhookSecrets = z.object({ secret: z.string(), previous: z.string().optional() })
export type WebhookSecrets = z.infer<typeof WebhookSecrets>
export const SendTestEvent = z.strictObject({ url: z.string().max(limits.callbackUrl) })
