import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  type McpServerFactory,
} from '@modelcontextprotocol/server'
import { showsCards } from './card.ts'
import type { McpCaller } from './guards.ts'
import { authInfoFor } from './server-factory.ts'
import { subscribeToTasks, type TaskSubscriptions } from './task-subscriptions.ts'

/**
 * Protocol version 2026-07-28: POSTs without a session, handled by the SDK, except those that
 * plain-call.ts recognizes. `subscriptions/listen` is handled in task-subscriptions.ts.
 */
export type StatelessProtocol = {
  subscriptions: TaskSubscriptions
  sdkHandler: ReturnType<typeof createMcpHandler>
}

// A message is not validated yet, so its fields may have any type.
type Message = { method?: unknown; params?: { _meta?: Record<string, unknown> | null } | null }

export function createStatelessProtocol(options: {
  factory: McpServerFactory
  subscriptions: TaskSubscriptions
  onError(error: Error): void
}): StatelessProtocol {
  const { factory, subscriptions, onError } = options
  return { subscriptions, sdkHandler: createMcpHandler(factory, { legacy: 'reject', onerror: onError }) }
}

export async function handleStatelessPost(
  { subscriptions, sdkHandler }: StatelessProtocol,
  request: Request,
  body: unknown,
  caller: McpCaller,
): Promise<Response> {
  const { method, params } = (body ?? {}) as Message
  if (method === 'subscriptions/listen') return await subscribeToTasks(subscriptions, request, body, caller)
  const capabilities = params?._meta?.[CLIENT_CAPABILITIES_META_KEY]
  const authInfo = authInfoFor({ caller, showsCards: showsCards(capabilities) })
  // The SDK calls the function that createServerFactory returned, then the handler of the method in
  // server.ts.
  return await sdkHandler.fetch(request, { parsedBody: body, authInfo })
}

export async function closeStatelessProtocol({ sdkHandler }: StatelessProtocol): Promise<void> {
  await sdkHandler.close()
}
