import type { AuthInfo, McpServerFactory } from '@modelcontextprotocol/server'
import type { McpSessionStore } from '../lib/mcp-session-store.ts'
import { type Backend, clientFor } from './backend.ts'
import { onCancelled } from './cancellations.ts'
import type { McpCaller } from './guards.ts'
import { createMcpServer } from './server.ts'

type FactoryOptions = {
  backend: Backend
  store: McpSessionStore
  defaultApp: string | undefined
  draining: AbortSignal
  version: string
  mcpUrl: string
  readCard(): Promise<string>
}

type CallerExtra = { caller: McpCaller; sessionId?: string; showsCards: boolean }

/**
 * The SDK passes this object on to the server factory unchanged, so it carries the caller, the
 * session and whether the client shows cards.
 */
export function authInfoFor(extra: CallerExtra): AuthInfo {
  return { token: '', clientId: extra.caller.owner.keyId, scopes: [], extra }
}

/** The SDK calls the returned function for each request, with the object from `authInfoFor`. */
export function createServerFactory(options: FactoryOptions): McpServerFactory {
  const { backend, store, defaultApp, draining, version, mcpUrl, readCard } = options
  return ({ era, authInfo }) => {
    const { caller, sessionId, showsCards } = authInfo!.extra as CallerExtra
    return createMcpServer({
      client: clientFor(backend, caller, sessionId),
      defaultApp,
      draining,
      version,
      mcpUrl,
      protocol: era === 'modern' ? 'stateless' : 'session',
      scopes: caller.owner.scopes,
      violations: caller.violations,
      showsCards,
      readCard,
      // Without a session, a client cancels a request by closing its connection.
      onCancelled: (requestId, listener) =>
        sessionId === undefined ? () => undefined : onCancelled(store, sessionId, requestId, listener),
    })
  }
}
