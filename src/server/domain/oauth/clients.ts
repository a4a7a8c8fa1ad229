import { z } from 'zod'
import { type KeyScope, keyScopes } from '../../../contract/api-key.ts'
import { oauthLimits } from '../../../contract/connected-app.ts'
import { networkOf } from '../../lib/client-address.ts'
import { newId } from '../../lib/ids.ts'
import { parseJson } from '../../lib/parse-json.ts'
import { sha256Hex } from '../../lib/sha256.ts'
import {
  findOAuthClient,
  isDocumentFresh,
  type OAuthClient,
  saveOAuthClient,
} from '../../storage/people/oauth-clients.ts'
import { consumeRateLimits } from '../../storage/people/rate-counts.ts'
import { rateLimited } from '../problems.ts'
import type { Service } from '../service.ts'
import { OAuthProblem, refusedAuthorization } from './oauth-problem.ts'
import { isAllowedRedirectUri } from './redirect-uris.ts'

const registrationsPerHour = 60 // per network
const documentsPerHour = 60 // per person
const documentSeconds = 600
const documentLimits = { maxBytes: oauthLimits.clientDocumentBytes, timeoutMilliseconds: 5_000 }

/** The fields that we read. Other fields are ignored, as RFC 7591 requires. */
const ClientMetadata = z.object({
  redirect_uris: z.array(z.string()).min(1).max(oauthLimits.redirectUris),
  client_name: z.string().optional(),
  scope: z.string().optional(),
})
const ClientDocument = ClientMetadata.extend({
  client_id: z.string(),
  token_endpoint_auth_method: z.string().default('none'),
})

/**
 * Registers a client (RFC 7591). Every client is public: it has no secret and proves with PKCE that
 * a code is its own.
 */
export async function registerClient(service: Service, input: unknown, from: string) {
  const metadata = ClientMetadata.safeParse(input)
  if (!metadata.success)
    throw new OAuthProblem('invalid_client_metadata', z.prettifyError(metadata.error).slice(0, 500))
  const { redirect_uris: redirectUris, client_name, scope } = metadata.data
  const refused = redirectUris.find((uri) => !isAllowedRedirectUri(uri))
  if (refused !== undefined) {
    throw new OAuthProblem(
      'invalid_redirect_uri',
      `${refused.slice(0, 200)} is not allowed. Use https, or http to 127.0.0.1, [::1] or localhost.`,
    )
  }
  const subject = `OAuth registrations from ${sha256Hex(networkOf(from))}`
  const limit = { subject, max: registrationsPerHour, seconds: 3_600 }
  const use = await consumeRateLimits(service.database, [limit])
  if (!use.allowed) {
    const { retryAfterSeconds } = use
    const description = 'Too many registrations from your network. Try again later.'
    throw new OAuthProblem('temporarily_unavailable', description, { status: 429, retryAfterSeconds })
  }
  const id = newId('oauthClient')
  const name = readableName(client_name)
  await saveOAuthClient(
    service.database,
    { id, name, redirectUris, hasDocument: false },
    oauthLimits.unusedClients,
  )
  return {
    client_id: id,
    client_id_issued_at: Math.floor(Date.now() / 1000),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: requestedScopes(scope).join(' '),
  }
}

/**
 * The scopes that we know, in the order of the contract. Other scopes, such as offline_access, are
 * ignored.
 */
export function knownScopesIn(scope: string): KeyScope[] {
  const requested = scope.split(' ')
  return keyScopes.filter((known) => requested.includes(known))
}

/**
 * A client that requests no known scope gets all of them. The person sees the scopes before they
 * allow access.
 */
export function requestedScopes(scope = ''): KeyScope[] {
  const known = knownScopesIn(scope)
  return known.length > 0 ? known : [...keyScopes]
}

/**
 * The client of a token request. A client that is not stored was never allowed access, so its
 * metadata document is not fetched here.
 */
export async function requireStoredClient(
  { database }: Service,
  clientId: string | undefined,
): Promise<OAuthClient> {
  const client = clientId ? await findOAuthClient(database, clientId) : undefined
  if (client) return client
  throw new OAuthProblem('invalid_client', 'This client is unknown. Register it again.', { status: 401 })
}

/**
 * The client that sent a person here. It has registered, or its id is the URL of a document that
 * describes it, which is fetched and stored unless that was done within the last ten minutes. Only
 * a signed-in person makes us fetch a document, and only through the guarded HTTP client.
 */
export async function findOrFetchClient(
  service: Service,
  clientId: string,
  personId: string,
): Promise<OAuthClient> {
  const { database } = service
  const isUrl = clientId.startsWith('https://')
  if (isUrl && !(await isDocumentFresh(database, clientId, documentSeconds)))
    await fetchClientDocument(service, clientId, personId)
  const client = await findOAuthClient(database, clientId)
  if (client) return client
  throw refusedAuthorization('This app is not registered here. Go back to the app and connect again.')
}

async function fetchClientDocument(service: Service, url: string, personId: string): Promise<void> {
  if (!isDocumentUrl(url)) throw refusedAuthorization('The address that identifies this app is not valid.')
  const limit = { subject: `OAuth client documents for ${personId}`, max: documentsPerHour, seconds: 3_600 }
  const use = await consumeRateLimits(service.database, [limit])
  if (!use.allowed)
    throw rateLimited(
      'Too many apps have asked you for access within an hour. Try again later.',
      use.retryAfterSeconds,
    )
  const fetched = await service.fetchDocument(url, documentLimits)
  if ('error' in fetched)
    throw refusedAuthorization(`The description of this app could not be read: ${fetched.error}`)
  const document = ClientDocument.safeParse(parseJson(fetched.text))
  const isValid =
    document.success &&
    document.data.client_id === url &&
    document.data.redirect_uris.every((uri) => isAllowedRedirectUri(uri))
  if (!isValid)
    throw refusedAuthorization(`The description of this app at ${url.slice(0, 200)} is not valid.`)
  const { redirect_uris: redirectUris, client_name, token_endpoint_auth_method: method } = document.data
  if (method !== 'none')
    throw refusedAuthorization(
      'The description of this app names a token_endpoint_auth_method that is not supported here. Ask its maker to support "none".',
    )
  const client = { id: url, name: readableName(client_name), redirectUris, hasDocument: true }
  await saveOAuthClient(service.database, client, oauthLimits.unusedClients)
}

/**
 * Whether the URL is short enough, has a path but no credentials or fragment, and is written
 * exactly as a URL parser writes it, so that one document has one id.
 */
function isDocumentUrl(url: string): boolean {
  if (url.length > oauthLimits.documentUrl || !URL.canParse(url)) return false
  const { href, pathname, username, password, hash } = new URL(url)
  return href === url && pathname !== '/' && username === '' && password === '' && hash === ''
}

/**
 * Removes control and direction characters, because they would let a name imitate the text around
 * it.
 */
function readableName(name: string | undefined): string {
  const readable = (name ?? '').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim()
  return [...readable].slice(0, oauthLimits.clientName).join('') || 'Unnamed app'
}
