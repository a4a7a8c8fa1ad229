import { z } from 'zod'
import { optional } from './field.ts'
import { limits } from './limits.ts'
import { App, TaskType } from './task-fields.ts'

/** A network such as 203.0.113.0/24. A single address is a network of its own. */
const Cidr = z
  .string()
  .max(50)
  .overwrite((text) => (text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`))
  .refine(
    (text) => z.cidrv4().safeParse(text).success || z.cidrv6().safeParse(text).success,
    'Must be a network such as 203.0.113.0/24, or an IP address.',
  )

const list = <T extends z.ZodType>(item: T) => z.array(item).min(1).max(limits.keyLimitValues)

/** What an API key is limited to, in a request. */
export const keyLimitInputs = {
  apps: optional(list(App)).meta({
    description: 'The key can create and read tasks of these apps only. Left out: tasks of all apps.',
  }),
  types: optional(list(TaskType)).meta({
    description: 'The key can create and read tasks of these types only. Left out: tasks of all types.',
  }),
  cidrs: optional(list(Cidr)).meta({
    description: 'The key works only from these networks or addresses. Left out: from everywhere.',
    example: ['203.0.113.0/24'],
  }),
}

/** The same, in a response. */
export const keyLimits = {
  apps: z.array(z.string()).optional(),
  types: z.array(z.string()).optional(),
  cidrs: z.array(z.string()).optional(),
}
