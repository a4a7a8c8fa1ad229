import { openMcpStream } from './mcp-stream.ts'

// The session protocol without a client library, which would hide what is tested.

// biome-ignore lint/suspicious/noExplicitAny: tests read messages field by field
type Message = any
export type McpResponse = { status: number; headers: Headers; body: Message }

export const mcpHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

/** Sends a POST to /mcp. The body is the response's message, whether it came as JSON or as an event. */
export async function postMcp(
  url: string,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<McpResponse> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { ...mcpHeaders, ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
  return { status: response.status, headers: response.headers, body: readMessage(await response.text()) }
}

function readMessage(text: string): Message {
  const data =
    text
      .match(/^data: (.+)$/gm)
      ?.at(-1)
      ?.slice('data: '.length) ?? text
  try {
    return JSON.parse(data)
  } catch {
    return data
  }
}

const newestVersion = '2025-11-25'
/** The last version that has batches. */
export const versionWithBatches = '2025-03-26'

export const initializeMessage = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: newestVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

/** `subscriptions/listen` of the stateless protocol. */
export const listenRequest = (apiKey: string, uris: string[]) => ({
  message: {
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: {
      notifications: { resourceSubscriptions: uris },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
  headers: {
    'x-api-key': apiKey,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  },
})

export type McpSession = Awaited<ReturnType<typeof openMcpSession>>

/** Opens a session at one node. `at` returns the same session at another node. */
export async function openMcpSession(url: string, apiKey: string, version = newestVersion) {
  const params = { ...initializeMessage.params, protocolVersion: version }
  const message = { ...initializeMessage, params }
  const { status, headers, body } = await postMcp(url, message, { 'x-api-key': apiKey })
  if (status !== 200) throw new Error(`failed to open a session: ${status} ${JSON.stringify(body)}`)
  return sessionAt(url, apiKey, headers.get('mcp-session-id')!, version)
}

function sessionAt(url: string, apiKey: string, sessionId: string, version: string) {
  const identity = { 'x-api-key': apiKey, 'mcp-session-id': sessionId, 'mcp-protocol-version': version }
  let lastId = 1
  const request = (method: string, params: object = {}) => {
    lastId += 1
    return postMcp(url, { jsonrpc: '2.0', id: lastId, method, params }, identity)
  }
  return {
    sessionId,
    identity,
    request,
    at: (other: string) => sessionAt(other, apiKey, sessionId, version),
    /** Calls a tool and returns its result. */
    async call(name: string, args: unknown): Promise<Message> {
      const { body } = await request('tools/call', { name, arguments: args })
      if (!body.result) throw new Error(`the tool call has no result: ${JSON.stringify(body)}`)
      return body.result
    },
    /** Opens the GET stream and resolves once it is open. */
    stream: (lastEventId?: string) => openMcpStream(url, identity, lastEventId),
    end: () => fetch(`${url}/mcp`, { method: 'DELETE', headers: identity }),
  }
}
