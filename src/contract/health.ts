import { z } from 'zod'

const Check = z.enum(['ok', 'degraded', 'failed'])

export const Health = z.object({
  status: z.enum(['ok', 'degraded', 'draining']),
  version: z.string(),
  checks: z.object({
    database: Check.optional(),
    backend: Check.optional(),
    jobs: Check.optional(),
    kv: Check.optional(),
  }),
})
export type Health = z.infer<typeof Health>
