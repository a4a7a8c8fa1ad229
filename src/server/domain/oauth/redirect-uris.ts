import { oauthLimits } from '../../../contract/connected-app.ts'

/**
 * Addresses that open a program on the person's computer. Only these exact addresses are allowed,
 * because any program may claim such a scheme. VS Code, for example, needs no such address: it uses
 * https or a loopback address.
 */
const programUris = ['cursor://anysphere.cursor-mcp/oauth/callback']

const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost']

/**
 * Allows https, http to the person's own computer, and listed programs. Other URIs could run a
 * script or leak the authorization code.
 */
export function isAllowedRedirectUri(uri: string): boolean {
  if (uri.length > oauthLimits.redirectUri || !/^[\x21-\x7e]+$/.test(uri) || uri.includes('#')) return false
  if (programUris.includes(uri)) return true
  if (!URL.canParse(uri)) return false
  const { protocol, username, password, hostname } = new URL(uri)
  if (username !== '' || password !== '' || hostname === '') return false
  return protocol === 'https:' || isLoopback(uri)
}

/**
 * Whether the client registered this URI. On a loopback address the port may differ, because
 * programs listen on whichever port is free.
 */
export function isRegisteredRedirectUri(registered: string[], requested: string): boolean {
  if (!isAllowedRedirectUri(requested)) return false
  return registered.some(
    (uri) =>
      uri === requested ||
      (isLoopback(uri) && isLoopback(requested) && withoutPort(uri) === withoutPort(requested)),
  )
}

/** Whether a program on the person's computer receives the code. */
export function isLocal(uri: string): boolean {
  return programUris.includes(uri) || isLoopback(uri)
}

/** What a person can recognize: the host, or the start of a program's address. */
export function addressOf(uri: string): string {
  const { protocol, host } = new URL(uri)
  return programUris.includes(uri) ? `${protocol}//${host}` : host
}

function isLoopback(uri: string): boolean {
  if (!URL.canParse(uri)) return false
  const { protocol, hostname } = new URL(uri)
  return protocol === 'http:' && loopbackHosts.includes(hostname)
}

function withoutPort(uri: string): string {
  const url = new URL(uri)
  url.port = ''
  return url.href
}

/** Adds parameters without parsing the URI, so that the rest of it stays exactly as the client sent it. */
export function withParameters(uri: string, parameters: Record<string, string | undefined>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value)
  return `${uri}${uri.includes('?') ? '&' : '?'}${query}`
}
