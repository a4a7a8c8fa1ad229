import { createHmac, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const shape = /^(hr[a-z]_)([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

/** API keys, and the credentials of connected apps. The prefix tells what a credential is. */
const prefixes = { apiKey: 'hrl_', accessToken: 'hrt_', refreshToken: 'hrr_', authorizationCode: 'hrc_' }
type CredentialKind = keyof typeof prefixes

// A prefix, 32 random characters and a checksum: a mistyped key is refused without a database
// query, and secret scanners can recognize real keys.

export function newCredential(kind: CredentialKind): string {
  let secret = ''
  for (let i = 0; i < 32; i++) secret += base62[randomInt(62)]
  return `${prefixes[kind]}${secret}${checksum(secret)}`
}

export function isCredential(kind: CredentialKind, text: string): boolean {
  const [, prefix, secret, check] = shape.exec(text) ?? []
  return prefix === prefixes[kind] && checksum(secret!) === check
}

export const newApiKey = () => newCredential('apiKey')
export const isApiKey = (text: string) => isCredential('apiKey', text)
/** Whether it is an access token of a connected app, which is valid only at /mcp/connect. */
export const isAccessToken = (text: string) => isCredential('accessToken', text)

/** The error text for a caller over REST or MCP whose API key is refused. */
export const refusedApiKeyDetail =
  'This API key is unknown, revoked or expired. Create one in the web app, under Settings, API keys, or run `handrail keys create NAME`, or ask an admin.'

/** Reads X-Api-Key and Authorization. The caller decides how to refuse ambiguous headers. */
export function readApiKey(headers: Headers) {
  const authorization = headers.get('authorization')
  const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  const header = headers.get('x-api-key')?.trim() || undefined
  return {
    /** A credential of any kind, checked by the caller. */
    apiKey: header ?? bearer,
    /** Authorization is not "Bearer <credential>". */
    isMalformed: authorization !== null && bearer === undefined,
    hasDifferentKeys: bearer !== undefined && header !== undefined && bearer !== header,
  }
}

/** A fast hash is sufficient, because credentials are random. */
export function digestCredential(credential: string, pepper: string): string {
  return createHmac('sha256', pepper).update(credential).digest('hex')
}

function checksum(secret: string): string {
  let rest = crc32(secret)
  let text = ''
  for (let i = 0; i < 6; i++) {
    text = base62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
