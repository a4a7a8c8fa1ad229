import { readFile } from 'node:fs/promises'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Config } from './config.ts'
import { readClientAddress } from './lib/client-address.ts'
import type { FetchHandler } from './lib/fetch-handler.ts'
import type { Logger } from './lib/logger.ts'
import type { McpSessionStore } from './lib/mcp-session-store.ts'
import type { Metrics } from './lib/metrics.ts'
import type { Limit } from './lib/request-limit.ts'
import type { Backend } from './mcp/backend.ts'
import { createMcpEndpoint, isMcpPath } from './mcp/endpoint.ts'
import { originsOf, pathOf } from './public-url.ts'
import { version } from './version.ts'

/**
 * The entry point for agents, used in one process with the other entry points and with --only mcp.
 */
export function openMcpEntryPoint(options: {
  config: Config
  publicUrl: string
  log: Logger
  metrics: Metrics
  draining: AbortSignal
  callerLimit: Limit | undefined
  store: McpSessionStore
  backend: Backend
}) {
  const { config, publicUrl, ...shared } = options
  const mcpUrl = config.mcpPublicUrl ?? publicUrl
  return createMcpEndpoint({
    ...shared,
    version,
    basePath: pathOf(publicUrl),
    mcpUrl,
    origins: [...originsOf(publicUrl, config.publicUrl), new URL(mcpUrl).origin],
    defaultApp: config.serviceApp,
    readCard: () => readFile(new URL('../../dist/card/card.html', import.meta.url), 'utf8'),
    clientAddress: (request, bindings) => {
      // getConnInfo takes a Hono context but reads only its bindings.
      const socket = getConnInfo({ env: bindings } as Parameters<typeof getConnInfo>[0]).remote.address
      return readClientAddress(request.headers, socket, config.trustProxy)
    },
  })
}

/** Passes requests to the paths of the MCP entry point to `mcp`, and all others to `other`. */
export function splitByPath(basePath: string, mcp: FetchHandler, other: FetchHandler): FetchHandler {
  return (request, bindings) => {
    const { pathname } = new URL(request.url)
    const path = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : pathname
    return isMcpPath(path) ? mcp(request, bindings) : other(request, bindings)
  }
}
