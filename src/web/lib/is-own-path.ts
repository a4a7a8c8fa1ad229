/**
 * Whether this is a path of this app. With other URLs, a link to the sign-in page could lead to
 * another site.
 */
export function isOwnPath(path: unknown): path is string {
  return typeof path === 'string' && /^\/(?![/\\])/.test(path)
}
