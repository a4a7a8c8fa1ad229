import { z } from 'zod'

const CheckState = z.enum(['ok', 'degraded', 'failed'])

/** The response of `GET /health`: whether this process can serve requests. */
export const ServiceHealth = z.object({
  status: z.enum(['ok', 'degraded', 'draining']),
  version: z.string(),
  checks: z.object({
    // Not of a separate MCP server with a key-value store.
    database: CheckState.optional(),
    // Only of a separate MCP server: the service whose REST API it calls.
    backend: CheckState.optional(),
    // Only of a process that runs the jobs.
    jobs: CheckState.optional(),
    // Only of a separate MCP server with a key-value store.
    kv: CheckState.optional(),
  }),
})
export type ServiceHealth = z.infer<typeof ServiceHealth>
