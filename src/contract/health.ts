import { z } from 'zod'

const CheckState = z.enum(['ok', 'degraded', 'failed'])

/** The response of `GET /health`: whether this process can serve requests. */
export const ServiceHealth = z.object({
  status: z.enum(['ok', 'degraded', 'draining']),
  version: z.string(),
  checks: z.object({
    database: CheckState.optional(),
    backend: CheckState.optional(),
    jobs: CheckState.optional(),
    kv: CheckState.optional(),
  }),
})
export type ServiceHealth = z.infer<typeof ServiceHealth>
