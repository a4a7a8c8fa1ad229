/**
 * Browsers accept a __Host- cookie only from this host over https, and only for its root path. A
 * service below a path uses __Secure- instead, which only requires https.
 */
export function cookiePrefix(publicUrl: string): '__Host-' | '__Secure-' | '' {
  const { protocol, pathname } = new URL(publicUrl)
  if (protocol !== 'https:') return ''
  return pathname === '/' ? '__Host-' : '__Secure-'
}

export function sessionCookieName(publicUrl: string): string {
  return `${cookiePrefix(publicUrl)}handrail.session_token`
}
