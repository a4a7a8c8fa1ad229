import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server'
import type { Identified } from './guards.ts'
import type { AuthInfoFor } from './session-protocol.ts'
import type { Listen } from './task-subscriptions.ts'

/** 2026-07-28: stateless POSTs, answered by the SDK; but for `subscriptions/listen`, which is ours to guard. */
export function createModernEra<Caller extends Identified>(options: {
  factory: McpServerFactory
  authInfoFor: AuthInfoFor
  listen: Listen<Caller>
  onError(error: Error): void
}) {
  const { listen, authInfoFor } = options
  const handler = createMcpHandler(options.factory, { legacy: 'reject', onerror: options.onError })

  async function post(request: Request, body: unknown, caller: Caller): Promise<Response> {
    if ((body as { method?: unknown } | null)?.method === 'subscriptions/listen')
      return await listen(request, body, caller)
    return await handler.fetch(request, { parsedBody: body, authInfo: authInfoFor(caller) })
  }

  return { post, close: () => handler.close() }
}
