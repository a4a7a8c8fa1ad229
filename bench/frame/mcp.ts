import type { HttpClient } from './http-client.ts'

// Both protocol versions without a client library, which would take longer than the measured servers.

export type Era = '2025' | '2026'

export const protocolVersions: Record<Era, string> = { '2025': '2025-11-25', '2026': '2026-07-28' }

const headersOf = {
  '2025': { 'mcp-protocol-version': protocolVersions['2025'] },
  '2026': { 'mcp-protocol-version': protocolVersions['2026'], 'mcp-method': 'tools/call' },
}
const accepted = { accept: 'application/json, text/event-stream' }

const client = { name: 'bench', version: '1' }
const envelope = {
  'io.modelcontextprotocol/protocolVersion': protocolVersions['2026'],
  'io.modelcontextprotocol/clientInfo': client,
  'io.modelcontextprotocol/clientCapabilities': {},
}

export function toolCall(
  era: Era,
  name: string,
  args: unknown,
): { headers: Record<string, string>; body: string } {
  const params = { name, arguments: args, ...(era === '2026' && { _meta: envelope }) }
  return {
    headers: { ...accepted, ...headersOf[era], ...(era === '2026' && { 'mcp-name': name }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }),
  }
}

/** Sends `initialize` of protocol 2025-11-25. Returns the session id. */
export async function openSession(http: HttpClient, identity: Record<string, string>): Promise<string> {
  const { headers, text } = await http.send(
    'POST',
    '/mcp',
    { ...accepted, ...identity },
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: protocolVersions['2025'], capabilities: {}, clientInfo: client },
    },
  )
  const sessionId = headers['mcp-session-id']
  if (typeof sessionId !== 'string') throw new Error(`initialize returned no session: ${text}`)
  return sessionId
}
