import { keyScopes } from '../../contract/api-key.ts'
import { isApiKey } from '../lib/credential-format.ts'
import { type Backend, fetchIssuer, type KeyOwner } from './backend.ts'
import type { AuthenticatedKey } from './guards.ts'
import { errorCodes, jsonRpcError } from './json-rpc.ts'

/**
 * The path below the MCP server's URL that takes tokens. /mcp takes keys only, so that no client
 * with a key starts OAuth.
 */
export const connectPath = '/mcp/connect'

const resourcePath = '/.well-known/oauth-protected-resource'

/**
 * Where clients find the metadata of the resource: its path follows the well-known path (RFC 9728,
 * section 3).
 */
export function resourceMetadataPath(mcpUrl: string): string {
  return `${resourcePath}${new URL(`${mcpUrl}${connectPath}`).pathname}`
}

/** RFC 9728: tells a client without a token which server issues one. */
export async function respondWithResourceMetadata(backend: Backend, mcpUrl: string): Promise<Response> {
  const issuer = await fetchIssuer(backend).catch(() => 'unreachable' as const)
  if (issuer === 'unreachable')
    return new Response('The backend cannot be reached.\n', { status: 503, headers: { 'retry-after': '2' } })
  if (issuer === undefined) return new Response('Not found\n', { status: 404 })
  const metadata = {
    resource: `${mcpUrl}${connectPath}`,
    resource_name: 'Handrail',
    authorization_servers: [issuer],
    scopes_supported: keyScopes,
    bearer_methods_supported: ['header'],
  }
  return Response.json(metadata, {
    headers: { 'cache-control': 'public, max-age=3600', 'access-control-allow-origin': '*' },
  })
}

/** Like `authenticate`, but for tokens: a refused client learns where to get one. */
export async function authenticateApp(
  request: Request,
  findTokenOwner: (token: string) => Promise<KeyOwner | undefined>,
  mcpUrl: string,
): Promise<AuthenticatedKey | Response> {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  const owner = token && (await findTokenOwner(token))
  if (owner) return { apiKey: token, owner }
  const metadataUrl = new URL(mcpUrl).origin + resourceMetadataPath(mcpUrl)
  const challenge = [
    'Bearer realm="handrail"',
    ...(token ? ['error="invalid_token"'] : []),
    `resource_metadata="${metadataUrl}"`,
    `scope="${keyScopes.join(' ')}"`,
  ].join(', ')
  const message =
    token && !isApiKey(token)
      ? 'This access token is unknown, revoked or expired. Connect again.'
      : 'Connect with OAuth, as the WWW-Authenticate header says. With an API key, use /mcp instead.'
  return jsonRpcError(401, errorCodes.refused, message, { headers: { 'www-authenticate': challenge } })
}
