import { isJsonContentType, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'

/** `session`: protocol versions up to 2025-11-25. `stateless`: 2026-07-28. */
export type Protocol = 'session' | 'stateless'

export type PlainCall = { protocol: Protocol; id: string | number; name: string; args: unknown }

const statelessVersion = '2026-07-28'
const metaPrefix = 'io.modelcontextprotocol/'

type Fields = Record<string, unknown>

/**
 * A tool call that follows the protocol and asks for nothing but its result. It is handled without
 * the SDK, which creates a server, a transport and a stream per request: with the SDK, the process
 * needs 1.7 x the CPU time per get_task and 1.5 x per send_to_human (2026-11). undefined: the SDK
 * handles the message, and reports errors.
 */
export function asPlainCall({ headers }: Request, body: unknown): PlainCall | undefined {
  if (!isObject(body) || body.method !== 'tools/call' || body.jsonrpc !== '2.0') return undefined
  const { id, params } = body
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined
  if (!isObject(params) || !hasOnly(params, ['name', 'arguments', '_meta'])) return undefined
  const { name, arguments: args = {}, _meta: meta = {} } = params
  if (typeof name !== 'string' || !isObject(args) || !isObject(meta)) return undefined
  // A call that waits gets a stream, which is kept alive meanwhile and can report progress.
  if (args.waitSeconds || meta.progressToken !== undefined || !hasProtocolHeaders(headers)) return undefined
  const protocol = plainProtocolOf(headers, name, meta)
  return protocol && { protocol, id: id as string | number, name, args }
}

/**
 * Whether `initialize` can be handled without the SDK, because the requested version needs no
 * negotiation. The body was checked by isInitializeRequest.
 */
export function isPlainInitialize({ headers }: Request, body: Fields): boolean {
  const params = body.params as Fields
  return (
    body.jsonrpc === '2.0' &&
    (typeof body.id === 'string' || Number.isSafeInteger(body.id)) &&
    params._meta === undefined &&
    params.protocolVersion !== statelessVersion &&
    SUPPORTED_PROTOCOL_VERSIONS.includes(params.protocolVersion as string) &&
    hasProtocolHeaders(headers) &&
    isSession(headers, {})
  )
}

/** Whether this is the notification that follows `initialize`. It has no effect. */
export function isPlainInitialized({ headers }: Request, body: unknown): boolean {
  return (
    isObject(body) &&
    hasOnly(body, ['jsonrpc', 'method']) &&
    body.jsonrpc === '2.0' &&
    body.method === 'notifications/initialized' &&
    hasProtocolHeaders(headers) &&
    isSession(headers, {})
  )
}

function plainProtocolOf(headers: Headers, name: string, meta: Fields): Protocol | undefined {
  if (isStateless(headers, name, meta)) return 'stateless'
  return isSession(headers, meta) ? 'session' : undefined
}

function hasProtocolHeaders(headers: Headers): boolean {
  const accept = headers.get('accept') ?? ''
  return (
    accept.includes('application/json') &&
    accept.includes('text/event-stream') &&
    isJsonContentType(headers.get('content-type'))
  )
}

function isStateless(headers: Headers, name: string, meta: Fields): boolean {
  const client = meta[`${metaPrefix}clientInfo`]
  return (
    headers.get('mcp-protocol-version') === statelessVersion &&
    headers.get('mcp-method') === 'tools/call' &&
    headers.get('mcp-name') === name &&
    meta[`${metaPrefix}protocolVersion`] === statelessVersion &&
    isObject(meta[`${metaPrefix}clientCapabilities`]) &&
    (client === undefined ||
      (isObject(client) && typeof client.name === 'string' && typeof client.version === 'string'))
  )
}

function isSession(headers: Headers, meta: Fields): boolean {
  const version = headers.get('mcp-protocol-version')
  return (
    (version === null || (version !== statelessVersion && SUPPORTED_PROTOCOL_VERSIONS.includes(version))) &&
    !headers.has('mcp-method') &&
    !Object.keys(meta).some((key) => key.startsWith(metaPrefix))
  )
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasOnly(fields: Fields, names: string[]): boolean {
  return Object.keys(fields).every((key) => names.includes(key))
}
