import type { Trace } from '../../contract/trace.ts'
import type { Violation } from '../../contract/violation.ts'
import { readApiKey, refusedApiKeyDetail } from '../lib/credential-format.ts'
import type { KeyOwner } from './backend.ts'
import { errorCodes, jsonRpcError } from './json-rpc.ts'

/** `apiKey`: an API key or, at /mcp/connect, the access token of a connected app. */
export type AuthenticatedKey = { apiKey: string; owner: KeyOwner }

/**
 * The authenticated sender of a POST. `from` is the client address, `violations` are errors found
 * in the arguments of a tool call.
 */
export type McpCaller = AuthenticatedKey & { from: string; trace: Trace | undefined; violations: Violation[] }

/** A page of another site must not reach a service in its visitor's network. Programs send no Origin. */
export function refuseForeignOrigin(request: Request, origins: string[]): Response | undefined {
  const origin = request.headers.get('origin')
  if (origin === null || origins.includes(origin)) return undefined
  return jsonRpcError(403, errorCodes.refused, 'Requests from this origin are not allowed.')
}

export async function authenticate(
  request: Request,
  findKeyOwner: (apiKey: string) => Promise<KeyOwner | undefined>,
): Promise<AuthenticatedKey | Response> {
  // A malformed Authorization header is ignored: proxies in front of an MCP client may add their
  // own.
  const { apiKey, hasDifferentKeys } = readApiKey(request.headers)
  if (hasDifferentKeys) {
    return jsonRpcError(
      400,
      errorCodes.refused,
      'X-Api-Key and Authorization contain different keys. Send only one of them.',
    )
  }
  if (apiKey === undefined) {
    return unauthenticated(
      'Send your API key as the header X-Api-Key or Authorization: Bearer. Create keys in the web app, under Settings, API keys.',
    )
  }
  const owner = await findKeyOwner(apiKey)
  return owner ? { apiKey, owner } : unauthenticated(refusedApiKeyDetail)
}

function unauthenticated(message: string): Response {
  const headers = { 'www-authenticate': 'Bearer realm="handrail"' }
  return jsonRpcError(401, errorCodes.refused, message, { headers })
}
