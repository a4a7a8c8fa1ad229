import type { ServiceHealth } from '../../contract/health.ts'
import type { McpSessionStore } from '../lib/mcp-session-store.ts'
import { type Backend, isBackendHealthy } from './backend.ts'

/**
 * GET /health of a separate MCP server. 503 while draining or without the backend, which every tool
 * needs.
 */
export function createMcpHealth(options: {
  backend: Backend
  store: McpSessionStore
  version: string
  draining: AbortSignal
  basePath: string
}) {
  const { backend, store, version, draining, basePath } = options
  return async (request: Request): Promise<Response> => {
    if (new URL(request.url).pathname !== `${basePath}/health`)
      return new Response('Not found\n', { status: 404 })
    const [backendIsHealthy, storeIsHealthy] = await Promise.all([
      isBackendHealthy(backend),
      store.isHealthy(),
    ])
    const isHealthy = backendIsHealthy && storeIsHealthy
    const body: ServiceHealth = {
      status: draining.aborted ? 'draining' : isHealthy ? 'ok' : 'degraded',
      version,
      checks: { backend: backendIsHealthy ? 'ok' : 'failed', [store.kind]: storeIsHealthy ? 'ok' : 'failed' },
    }
    return Response.json(body, {
      status: draining.aborted || !backendIsHealthy ? 503 : 200,
      headers: { 'cache-control': 'no-store' },
    })
  }
}
