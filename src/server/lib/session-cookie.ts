/**
 * With https, browsers accept the cookie only from this host over https (__Host-), or only over https (__Secure-) if
 * the service is served below a path: a __Host- cookie is for the whole host.
 */
export function cookiePrefix(publicUrl: string): '__Host-' | '__Secure-' | '' {
  const { protocol, pathname } = new URL(publicUrl)
  if (protocol !== 'https:') return ''
  return pathname === '/' ? '__Host-' : '__Secure-'
}

export function sessionCookieName(publicUrl: string): string {
  return `${cookiePrefix(publicUrl)}handrail.session_token`
}
