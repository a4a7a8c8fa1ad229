/** A path of this app, never another site: otherwise a link to sign-in could lead anywhere. */
export function isOwnPath(path: unknown): path is string {
  return typeof path === 'string' && /^\/(?![/\\])/.test(path)
}
