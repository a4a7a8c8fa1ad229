import { createHash } from 'node:crypto'
import { hasScope } from '../../../contract/has-scope.ts'
import { digestCredential, isCredential, newCredential } from '../../lib/credential-format.ts'
import { sameText } from '../../lib/same-text.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import {
  deleteToken,
  findTokenWorkspace,
  insertToken,
  lockToken,
  markTokenUsed,
  type StoredToken,
} from '../../storage/people/oauth-grants.ts'
import type { Service } from '../service.ts'
import { describeResource, isOurResource } from './authorization-request.ts'
import { knownScopesIn, requireStoredClient } from './clients.ts'
import { disconnect } from './connected-apps.ts'
import { OAuthProblem } from './oauth-problem.ts'

const accessSeconds = 3_600
const refreshSeconds = 30 * 86_400
/**
 * A client may use a refresh token again within this time, because it repeats a request whose
 * response was lost. A second use after it means that the token was stolen.
 */
const reuseSeconds = 30

export type TokenRequest = {
  grantType: string | undefined
  clientId: string | undefined
  code?: string | undefined
  codeVerifier?: string | undefined
  redirectUri?: string | undefined
  refreshToken?: string | undefined
  scope?: string | undefined
  resources: string[]
}

export type TokenResponse = {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

/**
 * The token endpoint of OAuth 2.1: exchanges a code or a refresh token for an access token and a
 * new refresh token.
 */
export async function issueTokens(service: Service, request: TokenRequest): Promise<TokenResponse> {
  const client = await requireStoredClient(service, request.clientId)
  if (!isOurResource(service, request.resources))
    throw new OAuthProblem('invalid_target', describeResource(service))
  const kind = kindOf(request.grantType)
  const credential = (kind === 'code' ? request.code : request.refreshToken) ?? ''
  const format = kind === 'code' ? 'authorizationCode' : 'refreshToken'
  const label = kind === 'code' ? 'code' : 'refresh token'
  const refusal = new OAuthProblem('invalid_grant', `The ${label} is invalid, expired, used or revoked.`)
  if (!isCredential(format, credential)) throw refusal
  const digest = digestCredential(credential, service.secrets.apiKeyPepper)
  const workspaceId = await findTokenWorkspace(service.database, digest)
  if (workspaceId === undefined) throw refusal
  const issued = await service.database.inWorkspace(workspaceId, async (tx) => {
    const token = await lockToken(tx, digest)
    if (!token || token.kind !== kind || token.clientId !== client.id || token.isRevoked) return undefined
    // Does not throw, because the disconnection must be committed.
    if (isReused(token)) {
      const by = { actor: 'service', from: undefined }
      await disconnect(tx, by, { grantId: token.grantId }, `${label} used twice`)
      return undefined
    }
    if (token.isExpired || (kind === 'code' && !isOwnCode(token, request))) return undefined
    if (!isWithin(token, request.scope)) return 'invalid_scope' as const
    await markTokenUsed(tx, digest)
    return await insertTokens(service, tx, token)
  })
  if (issued === undefined) throw refusal
  if (issued === 'invalid_scope')
    throw new OAuthProblem(
      'invalid_scope',
      'The token cannot have more scopes than the person allowed. Ask the person to connect again.',
    )
  return issued
}

function kindOf(grantType: string | undefined): 'code' | 'refresh' {
  if (grantType === 'authorization_code') return 'code'
  if (grantType === 'refresh_token') return 'refresh'
  throw new OAuthProblem('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.')
}

function isReused({ kind, usedSecondsAgo }: StoredToken): boolean {
  return usedSecondsAgo !== null && (kind === 'code' || usedSecondsAgo > reuseSeconds)
}

/** Checks PKCE and, if it is sent, the redirect URI. OAuth 2.1 no longer asks clients to send it. */
function isOwnCode(token: StoredToken, { codeVerifier = '', redirectUri }: TokenRequest): boolean {
  if (redirectUri !== undefined && redirectUri !== token.redirectUri) return false
  if (!/^[\w.~-]{43,128}$/.test(codeVerifier)) return false
  return sameText(createHash('sha256').update(codeVerifier).digest('base64url'), token.codeChallenge!)
}

/** Whether the person allowed all requested scopes. Scopes that we do not know are ignored. */
function isWithin({ scopes }: StoredToken, requested = ''): boolean {
  const known = knownScopesIn(requested)
  return known.every((scope) => hasScope(scopes, scope))
}

/** Tokens have all scopes of the grant, even if fewer are requested. The response lists them. */
async function insertTokens(
  { secrets }: Service,
  tx: Transaction,
  { grantId, scopes }: StoredToken,
): Promise<TokenResponse> {
  const accessToken = newCredential('accessToken')
  const refreshToken = newCredential('refreshToken')
  const digestOf = (token: string) => digestCredential(token, secrets.apiKeyPepper)
  await insertToken(tx, { kind: 'access', digest: digestOf(accessToken), grantId, seconds: accessSeconds })
  await insertToken(tx, { kind: 'refresh', digest: digestOf(refreshToken), grantId, seconds: refreshSeconds })
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: accessSeconds,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  }
}

/**
 * Token revocation of RFC 7009. With a refresh token, the app is disconnected. With an access
 * token, only that token ends. An unknown token is not an error.
 */
export async function revokeToken(
  service: Service,
  { token, clientId }: { token: string; clientId: string | undefined },
  from: string,
): Promise<void> {
  const client = await requireStoredClient(service, clientId)
  if (!isCredential('accessToken', token) && !isCredential('refreshToken', token)) return
  const digest = digestCredential(token, service.secrets.apiKeyPepper)
  const workspaceId = await findTokenWorkspace(service.database, digest)
  if (workspaceId === undefined) return
  await service.database.inWorkspace(workspaceId, async (tx) => {
    const stored = await lockToken(tx, digest)
    if (!stored || stored.clientId !== client.id) return
    const { grantId } = stored
    if (stored.kind === 'access') await deleteToken(tx, digest)
    else await disconnect(tx, { actor: grantId, from }, { grantId })
  })
}
