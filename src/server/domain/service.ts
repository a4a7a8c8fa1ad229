import type { Logger } from '../lib/logger.ts'
import type { Mail } from '../lib/mail.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { OidcClient } from '../lib/oidc-client.ts'
import type { DocumentLimits } from '../lib/outbound-http.ts'
import type { SlackApi } from '../lib/slack-api.ts'
import type { Database } from '../storage/engine/database.ts'
import type { Waits } from './tasks/waits.ts'
import type { People } from './workspaces/people.ts'

/** The dependencies of all use cases. Created once per process, in open-service.ts. */
export type Service = {
  database: Database
  people: People
  waits: Waits
  log: Logger
  metrics: Metrics
  publicUrl: string
  secrets: { apiKeyPepper: string; encryptionKey: string; authSecret: string }
  sendMail: ((mail: Mail) => Promise<void>) | undefined
  webPush: {
    /** Origins of push services that the operator allows besides the known ones. */
    services: string[]
    /** How a push service can reach the operator: an https or mailto URL. */
    contact: string
  }
  slack: SlackApi
  /** Undefined if no identity provider is configured. */
  singleSignOn: SingleSignOn | undefined
  /** false: people sign in with single sign-on or with a link from the operator. */
  passwordSignIn: boolean
  /** Whether callbacks to this IP address are allowed: it is public, or the operator allowed it. */
  mayCall(address: string): boolean
  /** Fetches a small document from a URL chosen by a stranger, through the guarded HTTP client. */
  fetchDocument(url: string, limits: DocumentLimits): Promise<{ text: string } | { error: string }>
  /**
   * The URL of the MCP server that agents connect to and that gets deliveries of kind `sse`;
   * undefined if none is known.
   */
  mcpUrl: string | undefined
  /**
   * Whether a delivery of kind `sse` can reach this session. For a separate MCP server,
   * SERVICE_MCP_PUBLIC_URL must be set.
   */
  reachesSession(sessionId: string): boolean
  /** Aborted when the service drains: waits return early, streams end with a retry hint. */
  draining: AbortSignal
}

/** Sign-in with the identity provider of the operator. */
export type SingleSignOn = {
  /** The name of the identity provider, as shown to people. */
  name: string
  /** The domains of addresses that may be linked. Empty: all. */
  domains: string[]
  /** Workspaces that everyone with an address in the domain may join. */
  joins: { workspaceId: string; domain: string }[]
  client: OidcClient
}
