import type { Logger } from '../lib/logger.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { DocumentLimits } from '../lib/outbound-http.ts'
import type { Database } from '../storage/engine/database.ts'
import type { Waits } from './tasks/waits.ts'
import type { People } from './workspaces/people.ts'

/** The dependencies of all use cases. Created once, in open-service.ts. */
export type Service = {
  database: Database
  people: People
  waits: Waits
  log: Logger
  metrics: Metrics
  publicUrl: string
  secrets: { apiKeyPepper: string; encryptionKey: string; authSecret: string }
  sendMail: ((mail: { to: string; subject: string; text: string }) => Promise<void>) | undefined
  /** Whether callbacks to this IP address are allowed: it is public, or the operator allowed it. */
  mayCall(address: string): boolean
  /** Fetches a small document from a URL chosen by a stranger, through the guarded HTTP client. */
  fetchDocument(url: string, limits: DocumentLimits): Promise<{ text: string } | { error: string }>
  /** The MCP server that agents connect to and pushes are sent to; undefined if none is configured. */
  mcpUrl: string | undefined
  /** Whether a push can reach this session: a separate MCP server must have its address configured. */
  reachesSession(sessionId: string): boolean
  /** Aborted when the service drains: waits return early, streams end with a retry hint. */
  draining: AbortSignal
}
