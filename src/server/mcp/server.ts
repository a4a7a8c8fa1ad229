import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from '@modelcontextprotocol/server'
import type { Client } from '../../client/client.ts'
import { HandrailProblem } from '../../client/problem.ts'
import { TaskId } from '../../contract/ids.ts'
import { callTool, toolList } from './tools.ts'

export const taskUriPrefix = 'task://'

const instructions = `Handrail hands work to people. Create a task with send_to_human, then call get_task with waitSeconds 50 until its status is not "open". handled.actionId "service:mark-done" or "service:reject-request" means: stop.`

export type Caller = { client: Client; defaultApp: string | undefined; version: string }

/** One SDK server a request, in both eras: low-level, with ready-made schemas, so that it is cheap and holds no state. */
export function createMcpServer({ client, defaultApp, version }: Caller): Server {
  const server = new Server(
    { name: 'handrail', title: 'Handrail', version },
    {
      capabilities: { tools: {}, resources: { subscribe: true }, logging: {} },
      instructions,
      cacheHints: {
        'tools/list': { ttlMs: 3_600_000, cacheScope: 'public' },
        'resources/list': { ttlMs: 3_600_000, cacheScope: 'public' },
        'resources/templates/list': { ttlMs: 3_600_000, cacheScope: 'public' },
        'resources/read': { ttlMs: 0, cacheScope: 'private' },
      },
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools: toolList }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const token = mcpReq._meta?.progressToken
    const result = await callTool(params.name, params.arguments, {
      client,
      defaultApp,
      signal: mcpReq.signal,
      progress:
        token === undefined
          ? undefined
          : (progress, total, message) =>
              mcpReq.notify({
                method: 'notifications/progress',
                params: { progressToken: token, progress, total, message },
              }),
    })
    if (!result)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${params.name}".`)
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
          'The record of a task, with its context, actions and updates. It changes until it has left "open".',
        mimeType: 'application/json',
      },
    ],
  }))
  server.setRequestHandler('resources/read', async ({ params }, { mcpReq }) => {
    const taskId = taskIdOf(params.uri)
    if (!taskId) throw new ResourceNotFoundError(params.uri)
    try {
      const record = await client.getTask(
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
  // Legacy clients ask for it; what they are told of is on the session's own stream either way.
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
  return server
}

export function taskIdOf(uri: string): string | undefined {
  const taskId = uri.startsWith(taskUriPrefix) ? uri.slice(taskUriPrefix.length) : ''
  return TaskId.safeParse(taskId).success ? taskId : undefined
}
