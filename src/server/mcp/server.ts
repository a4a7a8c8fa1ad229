import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from '@modelcontextprotocol/server'
import { HandrailProblem } from '../../client/problem.ts'
import { TaskId } from '../../contract/ids.ts'
import type { Violation } from '../../contract/violation.ts'
import type { KeyScope } from '../../contract/workspace.ts'
import type { Protocol } from './plain-call.ts'
import type { ToolCall } from './tools/tool.ts'
import { callTool, toolsFor } from './tools.ts'

export const taskUriPrefix = 'task://'

const instructions = `Handrail hands work to people. Create a task with send_to_human, then call get_task with waitSeconds 50. If it is still "open" after a few calls, give the user its url, end your turn and come back later. handled.actionId "service:mark-done" or "service:reject-request" means: stop.`

export type ServerOptions = Omit<ToolCall, 'signal' | 'progress' | 'onCancelled'> & {
  /**
   * Calls back when the client cancels a request of its session. Returns an unsubscribe function.
   */
  onCancelled(requestId: string | number, listener: () => void): () => void
  version: string
  protocol: Protocol
  scopes: KeyScope[]
  /** Errors that reading the body found in the arguments of a tool call. */
  violations: Violation[]
}

export const serverInfo = (version: string) => ({ name: 'handrail', title: 'Handrail', version })

/**
 * One SDK server per request, in both protocols: low-level and with prebuilt schemas, so that it is
 * cheap and stateless.
 */
export function createMcpServer({
  version,
  protocol,
  scopes,
  violations,
  onCancelled,
  ...call
}: ServerOptions): Server {
  const server = new Server(serverInfo(version), {
    // A session gets notifications/message for its tasks without subscribing, so it is not offered
    // subscriptions.
    capabilities: { tools: {}, resources: protocol === 'stateless' ? { subscribe: true } : {}, logging: {} },
    instructions,
    cacheHints: {
      // The list depends on the scopes of the key.
      'tools/list': { ttlMs: 3_600_000, cacheScope: 'private' },
      'resources/list': { ttlMs: 3_600_000, cacheScope: 'public' },
      'resources/templates/list': { ttlMs: 3_600_000, cacheScope: 'public' },
      'resources/read': { ttlMs: 0, cacheScope: 'private' },
    },
  })
  server.setRequestHandler('tools/list', () => ({ tools: toolsFor(scopes) }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const token = mcpReq._meta?.progressToken
    const result = await callTool(
      params.name,
      violations.length > 0 ? { violations } : { args: params.arguments },
      {
        ...call,
        signal: mcpReq.signal,
        onCancelled: (listener) => onCancelled(mcpReq.id, listener),
        progress:
          token === undefined
            ? undefined
            : (progress, total, message) =>
                mcpReq.notify({
                  method: 'notifications/progress',
                  params: { progressToken: token, progress, total, message },
                }),
      },
    )
    if (!result) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool "${params.name}" not found.`)
    return result
  })
  server.setRequestHandler('resources/list', () => ({ resources: [] }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: `${taskUriPrefix}{taskId}`,
        name: 'task',
        title: 'A task',
        description:
          'The record of a task, with its context, actions and updates. It changes until its status leaves "open".',
        mimeType: 'application/json',
      },
    ],
  }))
  server.setRequestHandler('resources/read', async ({ params }, { mcpReq }) => {
    const taskId = taskIdOf(params.uri)
    if (!taskId) throw new ResourceNotFoundError(params.uri)
    try {
      const record = await call.client.getTask(
        taskId,
        { include: ['context', 'actions', 'updates'] },
        mcpReq.signal,
      )
      return { contents: [{ uri: params.uri, mimeType: 'application/json', text: JSON.stringify(record) }] }
    } catch (error) {
      if (error instanceof HandrailProblem && error.code === 'not_found')
        throw new ResourceNotFoundError(params.uri)
      throw error
    }
  })
  return server
}

export function taskIdOf(uri: string): string | undefined {
  const taskId = uri.startsWith(taskUriPrefix) ? uri.slice(taskUriPrefix.length) : ''
  return TaskId.safeParse(taskId).success ? taskId : undefined
}
