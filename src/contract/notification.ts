import { z } from 'zod'
import { DeliveryId } from './ids.ts'
import { limits } from './limits.ts'

/** Which new tasks trigger a message. `high` includes urgent; `assigned` means assigned to this person. */
export const MailFor = z.enum(['never', 'assigned', 'urgent', 'high', 'all'])
export type MailFor = z.infer<typeof MailFor>
export const ChatFor = z.enum(['urgent', 'high', 'all'])
export type ChatFor = z.infer<typeof ChatFor>

export const Notifications = z.object({
  mail: z.object({
    available: z.boolean().meta({ description: 'False while the service has no SMTP_URL.' }),
    for: MailFor.meta({ description: 'The setting of the requesting person.' }),
  }),
  chat: z
    .object({
      host: z.string().meta({ description: 'Host of the incoming webhook. The rest of its URL is secret.' }),
      for: ChatFor,
    })
    .optional(),
})
export type Notifications = z.infer<typeof Notifications>

export const ChooseMail = z.strictObject({ for: MailFor })
export type ChooseMail = z.infer<typeof ChooseMail>

export const SetChat = z.strictObject({ url: z.string().max(limits.callbackUrl), for: ChatFor })
export type SetChat = z.infer<typeof SetChat>

export const TestSent = z.object({ deliveryId: DeliveryId })
export type TestSent = z.infer<typeof TestSent>
