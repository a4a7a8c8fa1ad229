import type { KeyScope } from '../../../contract/api-key.ts'
import type { OAuthClient } from '../../storage/people/oauth-clients.ts'
import type { Service } from '../service.ts'
import { findOrFetchClient, requestedScopes } from './clients.ts'
import { refusedAuthorization } from './oauth-problem.ts'
import { isRegisteredRedirectUri, withParameters } from './redirect-uris.ts'

/** The issuer of tokens, in metadata and in every redirect to a client (RFC 9207). */
export function issuerOf({ publicUrl }: Pick<Service, 'publicUrl'>): string {
  return `${publicUrl}/api/auth`
}

/** The only resource that tokens are for. undefined if no MCP server is configured. */
export function resourceOf({ mcpUrl }: Pick<Service, 'mcpUrl'>): string | undefined {
  return mcpUrl === undefined ? undefined : `${mcpUrl}/mcp/connect`
}

/** Also true for an empty list: clients may leave `resource` out, because there is only one. */
export function isOurResource(service: Service, resources: string[]): boolean {
  const ours = resourceOf(service)
  return resources.every((resource) => resource === ours)
}

/** The error description for a request that names another resource. */
export function describeResource(service: Service): string {
  const ours = resourceOf(service)
  return ours === undefined
    ? 'No MCP server is configured, so there is no resource.'
    : `The only resource is ${ours}.`
}

export type AuthorizationRequest = {
  client: OAuthClient
  redirectUri: string
  scopes: KeyScope[]
  codeChallenge: string
  /** The URL that takes the person back to the client with this result. */
  returnWith(result: { code: string } | { error: string; error_description?: string }): string
}

/**
 * Reads the query string with which a client sent a person here. Throws if the client or the
 * redirect URI is invalid, because then there is nowhere to return to. For another invalid request,
 * `returnTo` tells the client.
 */
export async function readAuthorizationRequest(
  service: Service,
  query: string,
  personId: string,
): Promise<AuthorizationRequest | { returnTo: string }> {
  const parameters = new URLSearchParams(query)
  const get = (name: string) => parameters.get(name) ?? undefined
  const isRepeated = (name: string) => parameters.getAll(name).length > 1
  const clientId = get('client_id')
  const redirectUri = get('redirect_uri')
  if (!clientId || !redirectUri || isRepeated('client_id') || isRepeated('redirect_uri'))
    throw refusedAuthorization(
      'The link that brought you here is not valid. Go back to the app and connect again.',
    )
  const client = await findOrFetchClient(service, clientId, personId)
  if (!isRegisteredRedirectUri(client.redirectUris, redirectUri)) {
    throw refusedAuthorization(
      'The app asks to send access to an address that it did not register. Do not continue; report this to its maker.',
    )
  }
  const returnWith: AuthorizationRequest['returnWith'] = (result) =>
    withParameters(redirectUri, { ...result, state: get('state'), iss: issuerOf(service) })
  const refusal = findRefusal(service, parameters)
  if (refusal) return { returnTo: returnWith({ error: refusal[0], error_description: refusal[1] }) }
  return {
    client,
    redirectUri,
    scopes: requestedScopes(get('scope')),
    codeChallenge: get('code_challenge')!,
    returnWith,
  }
}

function findRefusal(
  service: Service,
  parameters: URLSearchParams,
): [code: string, description: string] | undefined {
  for (const name of ['response_type', 'state', 'scope', 'code_challenge', 'code_challenge_method'])
    if (parameters.getAll(name).length > 1) return ['invalid_request', `${name} must not be repeated.`]
  if (parameters.get('response_type') !== 'code')
    return ['unsupported_response_type', 'response_type must be code.']
  if (parameters.get('code_challenge_method') !== 'S256')
    return ['invalid_request', 'PKCE is required, with code_challenge_method S256.']
  if (!/^[\w-]{43}$/.test(parameters.get('code_challenge') ?? ''))
    return ['invalid_request', 'code_challenge must be a SHA-256 digest in base64url.']
  if (!isOurResource(service, parameters.getAll('resource')))
    return ['invalid_target', describeResource(service)]
  return undefined
}
