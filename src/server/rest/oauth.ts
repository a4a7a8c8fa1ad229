import { type Context, Hono } from 'hono'
import { keyScopes } from '../../contract/api-key.ts'
import { oauthLimits } from '../../contract/connected-app.ts'
import { issuerOf } from '../domain/oauth/authorization-request.ts'
import { registerClient } from '../domain/oauth/clients.ts'
import { OAuthProblem } from '../domain/oauth/oauth-problem.ts'
import { issueTokens, revokeToken } from '../domain/oauth/tokens.ts'
import type { Service } from '../domain/service.ts'
import { networkOf } from '../lib/client-address.ts'
import { decodeUtf8, readBytes } from '../lib/read-bytes.ts'
import type { Limit } from '../lib/request-limit.ts'
import type { Environment } from './api.ts'
import { toDomainProblem } from './problem.ts'
import { valuesByName } from './read-request.ts'

export type OAuthOptions = {
  service: Service
  callerLimit: Limit | undefined
  clientAddress(context: Context): string
}

/**
 * RFC 8414. The authorization endpoint is the consent page: a GET only loads the web app and
 * decides nothing.
 */
export function authorizationServerMetadata(service: Service): Response {
  const issuer = issuerOf(service)
  const metadata = {
    issuer,
    authorization_endpoint: `${service.publicUrl}/authorize`,
    token_endpoint: `${issuer}/oauth2/token`,
    registration_endpoint: `${issuer}/oauth2/register`,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    // Every connection can be refreshed. Some clients do not try unless they find offline_access
    // here.
    scopes_supported: [...keyScopes, 'offline_access'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  }
  return Response.json(metadata, {
    headers: { 'cache-control': 'public, max-age=3600', 'access-control-allow-origin': '*' },
  })
}

/**
 * Where clients find the metadata: the path of the issuer follows the well-known path (RFC 8414,
 * section 3).
 */
export function metadataPathOf(service: Pick<Service, 'publicUrl'>): string {
  return `/.well-known/oauth-authorization-server${new URL(issuerOf(service)).pathname}`
}

/**
 * `/api/auth/oauth2`: what clients call without a person. Without authentication, bodies must be
 * small and requests are limited.
 */
export function createOAuth({ service, callerLimit, clientAddress }: OAuthOptions): Hono<Environment> {
  const app = new Hono<Environment>()
  // Metrics are labeled with the route, so only known paths are recorded: anyone can request any
  // other path.
  for (const endpoint of ['/register', '/token', '/revoke']) {
    app.use(endpoint, async (context, next) => {
      context.get('requestInfo').route = `/api/auth/oauth2${endpoint}`
      await next()
    })
  }
  app.use(async (context, next) => {
    const allowance = await callerLimit?.take(`oauth ${networkOf(clientAddress(context))}`)
    if (!allowance || allowance.allowed) return await next()
    return respondToProblem(
      new OAuthProblem('temporarily_unavailable', 'Too many requests from your network.', {
        status: 429,
        retryAfterSeconds: allowance.resetSeconds,
      }),
    )
  })
  app.post('/register', async (context) => {
    const client = await registerClient(service, await readJson(context.req.raw), clientAddress(context))
    return respond(client, 201)
  })
  app.post('/token', async (context) => {
    const form = await readForm(context.req.raw)
    return respond(
      await issueTokens(service, {
        grantType: form.get('grant_type'),
        clientId: form.get('client_id'),
        code: form.get('code'),
        codeVerifier: form.get('code_verifier'),
        redirectUri: form.get('redirect_uri'),
        refreshToken: form.get('refresh_token'),
        scope: form.get('scope'),
        resources: form.getAll('resource'),
      }),
    )
  })
  app.post('/revoke', async (context) => {
    const form = await readForm(context.req.raw)
    const request = { token: form.get('token') ?? '', clientId: form.get('client_id') }
    await revokeToken(service, request, clientAddress(context))
    return respond({})
  })
  app.onError((error, context) => {
    if (error instanceof OAuthProblem) return respondToProblem(error)
    const { code, message } = toDomainProblem(service, error, context.get('requestInfo').requestId)
    if (code === 'unavailable')
      return respondToProblem(
        new OAuthProblem('temporarily_unavailable', message, { status: 503, retryAfterSeconds: 1 }),
      )
    return respondToProblem(new OAuthProblem('server_error', message, { status: 500 }))
  })
  return app
}

async function readText(request: Request): Promise<string> {
  const bytes = await readBytes(request, oauthLimits.bodyBytes)
  if (!bytes)
    throw new OAuthProblem('invalid_request', `The body must be at most ${oauthLimits.bodyBytes} bytes.`, {
      status: 413,
    })
  const text = decodeUtf8(bytes)
  if (text === undefined) throw new OAuthProblem('invalid_request', 'The body is not valid UTF-8.')
  return text
}

async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request)
  try {
    return JSON.parse(text)
  } catch {
    throw new OAuthProblem('invalid_client_metadata', 'The body must be JSON.')
  }
}

/**
 * A repeated parameter is refused, because it could mean one thing to us and another to a proxy.
 * Only `resource` may be repeated (RFC 8707).
 */
async function readForm(request: Request) {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded')
    throw new OAuthProblem('invalid_request', 'The body must be application/x-www-form-urlencoded.')
  const form = new URLSearchParams(await readText(request))
  for (const [name, values] of valuesByName(form))
    if (name !== 'resource' && values.length > 1)
      throw new OAuthProblem('invalid_request', 'A parameter is repeated.')
  return {
    // An empty parameter counts as left out (RFC 6749, section 3.2).
    get: (name: string) => form.get(name) || undefined,
    getAll: (name: string) => form.getAll(name),
  }
}

function respond(body: object, status = 200): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store' } })
}

function respondToProblem({ code, message, status, retryAfterSeconds }: OAuthProblem): Response {
  const response = respond({ error: code, error_description: message }, status)
  if (retryAfterSeconds !== undefined) response.headers.set('retry-after', String(retryAfterSeconds))
  return response
}
