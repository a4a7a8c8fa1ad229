import type { Health } from '../../contract/health.ts'
import type { SessionStore } from '../lib/session-store.ts'
import type { Backend } from './backend.ts'

/** All that an MCP server apart answers besides MCP. Without its backend it can do nothing: 503. */
export function createMcpHealth(options: {
  backend: Backend
  store: SessionStore
  storeName: 'kv' | 'database'
  version: string
  draining: AbortSignal
  basePath: string
}) {
  const { backend, store, storeName, version, draining, basePath } = options
  return async (request: Request): Promise<Response> => {
    if (new URL(request.url).pathname !== `${basePath}/health`)
      return new Response('Not found\n', { status: 404 })
    const [backendIsWell, storeIsWell] = await Promise.all([backend.isWell(), store.isWell()])
    const isWell = backendIsWell && storeIsWell
    const body: Health = {
      status: draining.aborted ? 'draining' : isWell ? 'ok' : 'degraded',
      version,
      checks: { backend: backendIsWell ? 'ok' : 'failed', [storeName]: storeIsWell ? 'ok' : 'failed' },
    }
    return Response.json(body, {
      status: draining.aborted || !backendIsWell ? 503 : 200,
      headers: { 'cache-control': 'no-store' },
    })
  }
}
