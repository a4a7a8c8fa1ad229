import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server'
import type { Caller } from './guards.ts'
import { authInfoFor } from './server-factory.ts'
import { subscribeToTasks, type TaskSubscriptions } from './task-subscriptions.ts'

/**
 * Protocol version 2026-07-28: POSTs without a session, answered by the SDK, except
 * `subscriptions/listen`.
 */
export type StatelessProtocol = {
  subscriptions: TaskSubscriptions
  sdkHandler: ReturnType<typeof createMcpHandler>
}

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
  caller: Caller,
): Promise<Response> {
  if ((body as { method?: unknown } | null)?.method === 'subscriptions/listen')
    return await subscribeToTasks(subscriptions, request, body, caller)
  return await sdkHandler.fetch(request, { parsedBody: body, authInfo: authInfoFor(caller) })
}

export async function closeStatelessProtocol({ sdkHandler }: StatelessProtocol): Promise<void> {
  await sdkHandler.close()
}
