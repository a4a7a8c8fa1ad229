import { isIP } from 'node:net'

/** What can be said of an address before it is ever called; names are judged at each attempt. undefined: nothing against it. */
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
  if (url.username !== '' || url.password !== '') return 'Must not hold a user name or password.'
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  const local = host === 'localhost' || host.endsWith('.localhost')
  if ((isIP(host) !== 0 && !mayConnect(host)) || (local && !mayConnect('127.0.0.1'))) {
    return 'This address is not public. Whoever runs this service can allow it with CALLBACK_ALLOW_CIDRS.'
  }
  return undefined
}
