import type { Logger } from '../lib/logger.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { Database } from '../storage/engine/database.ts'
import type { Waits } from './tasks/waits.ts'
import type { People } from './workspaces/people.ts'

/** What use cases work with. Built once, in open-service.ts. */
export type Service = {
  database: Database
  people: People
  waits: Waits
  log: Logger
  metrics: Metrics
  publicUrl: string
  secrets: { apiKeyPepper: string; encryptionKey: string; authSecret: string }
  sendMail: ((mail: { to: string; subject: string; text: string }) => Promise<void>) | undefined
  /** Whether a callback may be made to this address: public, or allowed by the operator. */
  mayCall(address: string): boolean
  /** The MCP server that agents connect to and a push goes to; undefined where none is known. */
  mcpUrl: string | undefined
  /** Whether a push finds this session: one of an MCP server apart is found only where its address is configured. */
  reachesSession(sessionId: string): boolean
  /** Aborted when the service drains: waits answer early, streams end with a hint. */
  draining: AbortSignal
}
