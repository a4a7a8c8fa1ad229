import { isJsonContentType, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'

export type PlainCall = { era: 'legacy' | 'modern'; id: string | number; name: string; args: unknown }

const modernVersion = '2026-07-28'
const metaPrefix = 'io.modelcontextprotocol/'

type Fields = Record<string, unknown>

/**
 * A tool call that is in every respect as the protocol has it and wants nothing but its result. It is answered without the SDK,
 * whose server, transport and stream for each request cost more than the tool. undefined: the SDK answers, and knows what is wrong.
 */
export function asPlainCall({ headers }: Request, body: unknown): PlainCall | undefined {
  if (!isObject(body) || body.method !== 'tools/call' || body.jsonrpc !== '2.0') return undefined
  const { id, params } = body
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined
  if (!isObject(params) || !hasOnly(params, ['name', 'arguments', '_meta'])) return undefined
  const { name, arguments: args = {}, _meta: meta = {} } = params
  if (typeof name !== 'string' || !isObject(args) || !isObject(meta)) return undefined
  // Who waits gets a stream, which is kept alive meanwhile and may tell of progress.
  if (args.waitSeconds || meta.progressToken !== undefined || !acceptsJson(headers)) return undefined
  const era = isModern(headers, name, meta) ? 'modern' : isLegacy(headers, meta) ? 'legacy' : undefined
  return era && { era, id: id as string | number, name, args }
}

function acceptsJson(headers: Headers): boolean {
  const accept = headers.get('accept') ?? ''
  return (
    accept.includes('application/json') &&
    accept.includes('text/event-stream') &&
    isJsonContentType(headers.get('content-type'))
  )
}

function isModern(headers: Headers, name: string, meta: Fields): boolean {
  const client = meta[`${metaPrefix}clientInfo`]
  return (
    headers.get('mcp-protocol-version') === modernVersion &&
    headers.get('mcp-method') === 'tools/call' &&
    headers.get('mcp-name') === name &&
    meta[`${metaPrefix}protocolVersion`] === modernVersion &&
    isObject(meta[`${metaPrefix}clientCapabilities`]) &&
    (client === undefined ||
      (isObject(client) && typeof client.name === 'string' && typeof client.version === 'string'))
  )
}

function isLegacy(headers: Headers, meta: Fields): boolean {
  const version = headers.get('mcp-protocol-version')
  return (
    (version === null || (version !== modernVersion && SUPPORTED_PROTOCOL_VERSIONS.includes(version))) &&
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
