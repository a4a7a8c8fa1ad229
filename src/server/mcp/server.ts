import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { HandrailProblem } from '../../client/problem.ts'
import type { KeyScope } from '../../contract/api-key.ts'
import { TaskId } from '../../contract/ids.ts'
import type { Violation } from '../../contract/violation.ts'
import { appsExtension, card, cardContents, withCards } from './card.ts'
import { throwAsProtocolError } from './json-rpc.ts'
import type { Protocol } from './plain-call.ts'
import { skill, skillResource, skillsExtension, skillText } from './skill.ts'
import { findTaskHandle, serveTasks, tasksExtension } from './tasks-extension.ts'
import type { ToolContext } from './tools/tool.ts'
import { callTool, toolsFor } from './tools.ts'

export const taskUriPrefix = 'task://'

const instructions = `Handrail hands work to people. Create a task with send_to_human, then call get_task with waitSeconds 50. If it is still "open" after a few calls, give the user its url, end your turn and come back later. handled.actionId "service:mark-done" or "service:reject-request" means: stop.`

export type ServerOptions = Omit<ToolContext, 'signal' | 'progress' | 'onCancelled'> & {
  /**
   * Calls back when the client cancels a request of its session. The SDK does not abort the signal
   * of the call then, because the cancellation is a separate request, which may reach another node
   * (cancellations.ts). Returns an unsubscribe function.
   */
  onCancelled(requestId: string | number, listener: () => void): () => void
  version: string
  mcpUrl: string
  protocol: Protocol
  scopes: KeyScope[]
  /** Errors that reading the body found in the arguments of a tool call. */
  violations: Violation[]
  /**
   * Whether the client declared MCP Apps. Lists for other clients leave the card out, but any
   * client may read it: it contains no data.
   */
  showsCards: boolean
  readCard(): Promise<string>
}

export const serverDescription = 'Hand work to people and get an answer back: an inbox for AI agents.'

export const serverIcons = (mcpUrl: string) => [
  { src: `${mcpUrl}/icon-192.png`, mimeType: 'image/png', sizes: ['192x192'] },
]

export const serverInfo = (version: string, mcpUrl: string) => ({
  name: 'handrail',
  title: 'Handrail',
  version,
  icons: serverIcons(mcpUrl),
})

/** The result that the SDK's server returns for `initialize`. */
export const initializeResult = (
  protocolVersion: string,
  { version, mcpUrl, showsCards }: Pick<ServerOptions, 'version' | 'mcpUrl' | 'showsCards'>,
) => ({
  protocolVersion,
  capabilities: capabilitiesOf('session', showsCards),
  serverInfo: serverInfo(version, mcpUrl),
  instructions,
})

const capabilitiesOf = (protocol: Protocol, showsCards: boolean) => ({
  tools: {},
  // A session gets notifications/message for its tasks with delivery sse, so it is not offered
  // subscriptions.
  resources: protocol === 'stateless' ? { subscribe: true } : {},
  logging: {},
  extensions: {
    [skillsExtension]: {},
    ...(protocol === 'stateless' && { [tasksExtension]: {} }),
    ...(showsCards && { [appsExtension]: {} }),
  },
})

const cacheMilliseconds = 3_600_000

/**
 * Creates the SDK's server for one request, in both protocols. It is the low-level one with
 * prebuilt schemas, because that is cheap to create.
 */
export function createMcpServer({
  version,
  mcpUrl,
  protocol,
  scopes,
  violations,
  showsCards,
  readCard,
  onCancelled,
  ...call
}: ServerOptions): Server {
  const isStateless = protocol === 'stateless'
  const server = new Server(serverInfo(version, mcpUrl), {
    capabilities: capabilitiesOf(protocol, showsCards),
    instructions,
    cacheHints: {
      // The list depends on the scopes of the key.
      'tools/list': { ttlMs: cacheMilliseconds, cacheScope: 'private' },
      // Shared caches must not give the list with the card to other clients.
      'resources/list': { ttlMs: cacheMilliseconds, cacheScope: showsCards ? 'private' : 'public' },
      'resources/templates/list': { ttlMs: cacheMilliseconds, cacheScope: 'public' },
      'resources/read': { ttlMs: 0, cacheScope: 'private' },
    },
  })
  server.setRequestHandler('tools/list', () => ({
    tools: showsCards ? withCards(toolsFor(scopes)) : toolsFor(scopes),
  }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const handle = isStateless && (await findTaskHandle(call.client, params, mcpReq))
    if (handle) return handle
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
  if (isStateless) serveTasks(server, call.client)
  serveSkill(server, isStateless)
  server.setRequestHandler('resources/list', () => ({
    resources: showsCards ? [skillResource, card] : [skillResource],
  }))
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
    if (params.uri === skill.uri)
      return { contents: [{ uri: skill.uri, mimeType: skillResource.mimeType, text: skillText }] }
    if (params.uri === card.uri) return { contents: cardContents(await readCard()) }
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
      throwAsProtocolError(error)
    }
  })
  return server
}

function serveSkill(server: Server, isStateless: boolean): void {
  // Only the stateless protocol has fields for caching.
  const cache = isStateless ? { ttlMs: cacheMilliseconds, cacheScope: 'public' } : {}
  server.setRequestHandler('skills/list', { params: z.object({}) }, () => ({ ...cache, skills: [skill] }))
  server.setRequestHandler('skills/get', { params: z.object({ uri: z.string() }) }, ({ uri }) => {
    if (uri !== skill.uri) throw new ResourceNotFoundError(uri)
    return { ...cache, skill }
  })
}

export function taskIdOf(uri: string): string | undefined {
  const taskId = uri.startsWith(taskUriPrefix) ? uri.slice(taskUriPrefix.length) : ''
  return TaskId.safeParse(taskId).success ? taskId : undefined
}
