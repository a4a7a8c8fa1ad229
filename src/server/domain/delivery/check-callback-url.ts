import { isIP } from 'node:net'

/**
 * Why a URL cannot be called; undefined if it can. Host names are resolved and checked at each
 * attempt, not here.
 */
export function callbackUrlProblem(
  text: string,
  mayConnect: (address: string) => boolean,
): string | undefined {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return 'Must be a URL, such as https://example.com/handrail.'
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'Must begin with https:// or http://.'
  if (url.username !== '' || url.password !== '') return 'Must not contain a user name or password.'
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  const isLocal = host === 'localhost' || host.endsWith('.localhost')
  if ((isIP(host) !== 0 && !mayConnect(host)) || (isLocal && !mayConnect('127.0.0.1'))) {
    return 'This address is not public. The operator can allow it with CALLBACK_ALLOW_CIDRS, which is set when the service starts.'
  }
  return undefined
}
