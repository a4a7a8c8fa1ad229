import { createHash } from 'node:crypto'
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import { readStream } from './read-bytes.ts'

const timeoutMilliseconds = 5_000
const maxBytes = 256 * 1024
const metadataMilliseconds = 600_000
const clockToleranceSeconds = 60
// An ID token is requested when a person returns, so an old one does not belong to our request.
const maxTokenAge = '5 minutes'
// Only signatures with the provider's private key: never "none" or our shared secret.
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA'.split(' ')

export type OidcClient = ReturnType<typeof createOidcClient>

export type OidcOptions = { issuer: string; clientId: string; clientSecret: string; redirectUri: string }

/**
 * What the identity provider says about a person. `issuer` and `subject` identify them; the rest
 * may change.
 */
export type OidcIdentity = {
  issuer: string
  subject: string
  email: string | undefined
  emailVerified: boolean
  name: string | undefined
  /** How they were authenticated (RFC 8176), such as pwd, otp, mfa. */
  amr: string[]
}

/**
 * `unreachable`: no response, a redirect, a server error or too many bytes. Trying again may help.
 * `invalid`: another error status, or a response that is malformed or must not be trusted.
 */
export class OidcError extends Error {
  override name = 'OidcError'
  readonly kind: 'unreachable' | 'invalid'
  constructor(kind: OidcError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
})
type Metadata = z.infer<typeof Metadata>

const Tokens = z.object({ id_token: z.string(), access_token: z.string() })
const Keys = z.object({ keys: z.array(z.record(z.string(), z.unknown())) })
const Claims = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().optional().catch(undefined),
  // Some providers send text. Entra sends xms_edov instead: whether it has verified who owns the
  // domain of the address.
  email_verified: z.union([z.boolean(), z.string()]).optional().catch(undefined),
  xms_edov: z.union([z.boolean(), z.string(), z.number()]).optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  amr: z.array(z.string().max(64)).max(20).optional().catch(undefined),
})

/** An OpenID Connect relying party: authorization code with PKCE, state and nonce, for one provider. */
export function createOidcClient({ issuer, clientId, clientSecret, redirectUri }: OidcOptions) {
  let known: { metadata: Promise<Metadata>; readAt: number } | undefined

  /** Reads the metadata at most every ten minutes, and again after a failure. */
  function discover(): Promise<Metadata> {
    if (known && performance.now() - known.readAt < metadataMilliseconds) return known.metadata
    const metadata = readMetadata(issuer)
    known = { metadata, readAt: performance.now() }
    metadata.catch(() => {
      known = undefined
    })
    return metadata
  }

  async function authorizationUrl(secrets: { state: string; nonce: string; verifier: string }) {
    const url = new URL((await discover()).authorization_endpoint)
    const parameters = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: createHash('sha256').update(secrets.verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return url.href
  }

  /**
   * The person behind a code. `iss` is the parameter that the provider added to our redirect URI
   * (RFC 9207).
   */
  async function redeem(
    response: { code: string; iss: string | undefined },
    secrets: { nonce: string; verifier: string },
  ): Promise<OidcIdentity> {
    const metadata = await discover()
    const isNamed = response.iss !== undefined || metadata.authorization_response_iss_parameter_supported
    if (isNamed && response.iss !== issuer)
      throw new OidcError('invalid', 'The code was issued by another provider.')
    const tokens = await requestTokens(metadata, response.code, secrets.verifier)
    const payload = await verifyIdToken(metadata, tokens.id_token, secrets.nonce)
    const { sub, ...claims } = requireShape(Claims, payload, 'ID token')
    const person =
      claims.email === undefined && metadata.userinfo_endpoint
        ? await requestUserInfo(metadata.userinfo_endpoint, tokens.access_token, sub)
        : claims
    return {
      issuer,
      subject: sub,
      email: person.email,
      emailVerified: [true, 'true', 1, '1'].includes(person.email_verified ?? person.xms_edov ?? false),
      name: person.name,
      // Only the signed token says how the person was authenticated.
      amr: claims.amr ?? [],
    }
  }

  async function requestTokens(metadata: Metadata, code: string, verifier: string) {
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const isBasic = methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
    const credentials = [clientId, clientSecret].map((part) => encodeURIComponent(part)).join(':')
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...(!isBasic && { client_id: clientId, client_secret: clientSecret }),
    })
    const basic = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
    const tokens = await readJson(metadata.token_endpoint, {
      method: 'POST',
      headers: isBasic ? basic : {},
      body,
    })
    return requireShape(Tokens, tokens, 'token response')
  }

  /** The keys are read for each sign-in, so that a new key of the provider works at once. */
  async function verifyIdToken(metadata: Metadata, token: string, nonce: string): Promise<JWTPayload> {
    const keys = requireShape(Keys, await readJson(metadata.jwks_uri), 'list of keys')
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys as JSONWebKeySet), {
      issuer,
      audience: clientId,
      algorithms,
      clockTolerance: clockToleranceSeconds,
      maxTokenAge,
      requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
    }).catch((error: Error) => {
      throw new OidcError('invalid', `The ID token is not valid: ${error.message}`)
    })
    if (payload.nonce !== nonce) throw new OidcError('invalid', 'The ID token belongs to another sign-in.')
    const isShared = Array.isArray(payload.aud) && payload.aud.length > 1
    if ((isShared || payload.azp !== undefined) && payload.azp !== clientId)
      throw new OidcError('invalid', 'The ID token was issued to another client.')
    return payload
  }

  return { issuer, authorizationUrl, redeem }
}

export async function readMetadata(issuer: string): Promise<Metadata> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const metadata = requireShape(Metadata, await readJson(address), 'discovery document')
  if (metadata.issuer !== issuer)
    throw new OidcError('invalid', `The identity provider names itself ${metadata.issuer}, not ${issuer}.`)
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = metadata
  for (const endpoint of [authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint])
    if (endpoint && new URL(endpoint).protocol !== 'https:' && new URL(issuer).protocol === 'https:')
      throw new OidcError('invalid', `The address ${endpoint} of the identity provider does not use https.`)
  return metadata
}

async function requestUserInfo(endpoint: string, accessToken: string, subject: string) {
  const json = await readJson(endpoint, { headers: { authorization: `Bearer ${accessToken}` } })
  const claims = requireShape(Claims, json, 'user info')
  if (claims.sub !== subject) throw new OidcError('invalid', 'The user info belongs to another person.')
  return claims
}

function requireShape<T extends z.ZodType>(shape: T, value: unknown, what: string): z.output<T> {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  throw new OidcError('invalid', `The identity provider's ${what} is not valid.`)
}

async function readJson(url: string, init: RequestInit = {}): Promise<unknown> {
  const { pathname } = new URL(url)
  let status: number
  let text: string | undefined
  try {
    const response = await fetch(url, {
      ...init,
      headers: { accept: 'application/json', ...(init.headers as Record<string, string>) },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    })
    status = response.status
    const bytes = await readStream(response.body, maxBytes)
    text = bytes && Buffer.from(bytes).toString('utf8')
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error }
    throw new OidcError('unreachable', `No response from ${pathname}: ${cause?.message || message}`)
  }
  if (text === undefined)
    throw new OidcError('unreachable', `The response from ${pathname} is larger than ${maxBytes} bytes.`)
  if (status >= 500) throw new OidcError('unreachable', `The response from ${pathname} was ${status}.`)
  if (status !== 200) throw new OidcError('invalid', `The response from ${pathname} was ${status}.`)
  try {
    return JSON.parse(text)
  } catch {
    throw new OidcError('invalid', `The response from ${pathname} is not JSON.`)
  }
}
