import { z } from 'zod'
import { Timestamp } from './field.ts'
import { DeliveryId, PushSubscriptionId, WorkspaceId } from './ids.ts'
import { limits } from './limits.ts'

/**
 * What a person wants to hear about: new tasks of a priority, or tasks that are assigned or
 * addressed to them.
 */
export const Want = z.enum(['urgent', 'high', 'normal', 'low', 'assigned'])
export type Want = z.infer<typeof Want>
export const ChatFor = z.enum(['urgent', 'high', 'all'])
export type ChatFor = z.infer<typeof ChatFor>

/** Sorted, without duplicates. */
const Wants = z
  .array(Want)
  .max(Want.options.length)
  .transform((wants) => Want.options.filter((want) => wants.includes(want)))
  .pipe(z.array(Want))

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time of day such as 22:00.')

export const QuietHours = z
  .strictObject({
    from: TimeOfDay,
    to: TimeOfDay.meta({ description: 'If it is earlier than `from`, it is on the next day.' }),
    timeZone: z
      .string()
      .max(limits.timeZone)
      .refine(isTimeZone, 'Must be a time zone such as Europe/Berlin.')
      .meta({ description: 'An IANA time zone, such as Europe/Berlin.' }),
    exceptUrgent: z.boolean().meta({ description: 'true: notifications of urgent tasks are not held.' }),
  })
  .refine(({ from, to }) => from !== to, 'Must not begin and end at the same time.')
export type QuietHours = z.infer<typeof QuietHours>

/** A browser that gets push messages. */
export const PushBrowser = z.object({
  subscriptionId: PushSubscriptionId,
  endpointDigest: z
    .string()
    .meta({ description: 'SHA-256 of the endpoint in hexadecimal, by which a browser recognizes itself.' }),
  userAgent: z.string(),
  createdAt: Timestamp,
})
export type PushBrowser = z.infer<typeof PushBrowser>

export const Notifications = z.object({
  mail: z.object({
    available: z.boolean().meta({ description: 'False while the service has no SMTP_URL.' }),
    wants: z.array(Want),
  }),
  push: z.object({
    publicKey: z.string().meta({ description: 'The application server key that a browser subscribes with.' }),
    browsers: z.array(PushBrowser).meta({ description: 'Browsers of the requesting person.' }),
    wants: z.array(Want),
  }),
  slack: z.object({
    available: z.boolean().meta({ description: 'Whether the workspace is connected to Slack.' }),
    linkedTo: z
      .string()
      .optional()
      .meta({ description: 'The name of the Slack user that the requesting person has linked.' }),
    wants: z.array(Want),
  }),
  quietHours: QuietHours.optional(),
  chat: z
    .object({
      host: z.string().meta({ description: 'Host of the incoming webhook. The rest of its URL is secret.' }),
      for: ChatFor,
    })
    .optional(),
})
export type Notifications = z.infer<typeof Notifications>

/** Replaces all choices of the requesting person. */
export const ChooseNotifications = z.strictObject({
  mail: Wants,
  push: Wants,
  slack: Wants,
  quietHours: QuietHours.optional().meta({ description: 'Left out: none.' }),
})
export type ChooseNotifications = z.infer<typeof ChooseNotifications>

const base64Url = (bytes: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, 'Must be base64url without padding.')
    .length(Math.ceil((bytes * 4) / 3))

/** The PushSubscription of a browser, without `expirationTime`. */
export const AddPushBrowser = z.strictObject({
  endpoint: z.url().max(limits.pushEndpoint),
  keys: z.strictObject({ p256dh: base64Url(65), auth: base64Url(16) }),
})
export type AddPushBrowser = z.infer<typeof AddPushBrowser>

export const PushBrowserParams = z.object({ subscriptionId: PushSubscriptionId })

export const SetChat = z.strictObject({ url: z.string().max(limits.callbackUrl), for: ChatFor })
export type SetChat = z.infer<typeof SetChat>

export const TestSent = z.object({ deliveryId: DeliveryId })
export type TestSent = z.infer<typeof TestSent>

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export const PreviewUnsubscribe = z.strictObject({ token: z.string().min(1).max(200) })
/** What a person with the link of an email sees before turning emails off. */
export const UnsubscribePreview = z.object({
  workspaceId: WorkspaceId,
  workspaceName: z.string(),
  email: z.string(),
  isOn: z.boolean().meta({ description: 'false: the workspace sends the person no emails about tasks.' }),
})
export type UnsubscribePreview = z.infer<typeof UnsubscribePreview>
