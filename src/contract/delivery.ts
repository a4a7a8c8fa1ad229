import { z } from 'zod'
import { Cursor, Moment, optional, Timestamp, wholeNumber } from './field.ts'
import { DeliveryId, TaskId } from './ids.ts'
import { limits } from './limits.ts'

export const DeliveryAttempt = z.object({
  number: z.int(),
  at: Timestamp,
  status: z.int().optional().meta({ description: 'The status of the answer. Absent: none came, see error.' }),
  durationMilliseconds: z.int(),
  error: z.string().optional(),
  answer: z.string().optional().meta({ description: 'The first 1,024 bytes of the answer.' }),
})
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>

export const DeliveryState = z.enum(['pending', 'delivered', 'failed'])

/** One event on its way to one receiver, and every attempt so far. */
export const Delivery = z.object({
  deliveryId: DeliveryId,
  eventId: z.string(),
  eventType: z.string(),
  taskId: TaskId.optional(),
  kind: z.enum(['callback', 'sse', 'mail', 'chat']),
  url: z.string().optional(),
  to: z.string().optional().meta({ description: 'Whom a mail is for.' }),
  state: DeliveryState,
  attemptCount: z.int(),
  nextAttemptAt: Timestamp.optional(),
  createdAt: Timestamp,
  endedAt: Timestamp.optional(),
  attempts: z.array(DeliveryAttempt),
})
export type Delivery = z.infer<typeof Delivery>

/** With what is sent, byte for byte. */
export const DeliveryWithBody = Delivery.extend({
  body: z.string().meta({ description: '"": deleted with the content of the task.' }),
})
export type DeliveryWithBody = z.infer<typeof DeliveryWithBody>

export const ListDeliveries = z.strictObject({
  state: optional(DeliveryState),
  taskId: optional(TaskId),
  createdAfter: optional(Moment),
  createdBefore: optional(Moment),
  limit: optional(wholeNumber(1, limits.pageMax)),
  cursor: optional(Cursor),
})
export type ListDeliveries = z.infer<typeof ListDeliveries>
export const DeliveryPage = z.object({ deliveries: z.array(Delivery), nextCursor: z.string().nullable() })
export type DeliveryPage = z.infer<typeof DeliveryPage>

/** What became of a task's result, for everybody who works the inbox: no address, no bodies. */
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
  lastStatus: z.int().optional().meta({ description: 'The status of the last answer, if one came.' }),
})
export type TaskDelivery = z.infer<typeof TaskDelivery>
export const TaskDeliveries = z.object({ deliveries: z.array(TaskDelivery) })
export type TaskDeliveries = z.infer<typeof TaskDeliveries>

export const RedeliverSince = z.strictObject({ since: Moment })
export const Redelivered = z.object({ count: z.int() })

export const RevealSecret = z.strictObject({ password: z.string().max(limits.passwordMax) })
/** Newest first; while a rotation overlaps, both sign. */
export const WebhookSecrets = z.object({ secret: z.string(), previous: z.string().optional() })
export type WebhookSecrets = z.infer<typeof WebhookSecrets>
export const SendTestEvent = z.strictObject({ url: z.string().max(limits.callbackUrl) })
