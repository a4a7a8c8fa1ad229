import type { HttpClient } from './http-client.ts'

// Requests of both protocol versions without a client library, which would take more time than the
// measured servers.

/** The year of a protocol version. */
export type Era = '2025' | '2026'

export const protocolVersions: Record<Era, string> = { '2025': '2025-11-25', '2026': '2026-07-28' }

const eraHeaders = {
  '2025': { 'mcp-protocol-version': protocolVersions['2025'] },
  '2026': { 'mcp-protocol-version': protocolVersions['2026'], 'mcp-method': 'tools/call' },
}
const acceptHeader = { accept: 'application/json, text/event-stream' }

const clientInfo = { name: 'bench', version: '1' }
const requestMeta = {
  'io.modelcontextprotocol/protocolVersion': protocolVersions['2026'],
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
}

export function toolCall(
  era: Era,
  name: string,
  args: unknown,
): { headers: Record<string, string>; body: string } {
  const params = { name, arguments: args, ...(era === '2026' && { _meta: requestMeta }) }
  return {
    headers: { ...acceptHeader, ...eraHeaders[era], ...(era === '2026' && { 'mcp-name': name }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }),
  }
}

/** Sends `initialize` of protocol 2025-11-25. Returns the session id. */
export async function openSession(http: HttpClient, identity: Record<string, string>): Promise<string> {
  const { headers, text } = await http.send(
    'POST',
    '/mcp',
    { ...acceptHeader, ...identity },
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: protocolVersions['2025'], capabilities: {}, clientInfo },
    },
  )
  const sessionId = headers['mcp-session-id']
  if (typeof sessionId !== 'string') throw new Error(`initialize returned no session: ${text}`)
  return sessionId
}
