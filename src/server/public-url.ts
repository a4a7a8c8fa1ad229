/** The URL at which the service can be reached from this machine. */
export function localUrl({ host, port }: { host: string; port: number }): string {
  const isAny = host === '0.0.0.0' || host === '::'
  const name = host.includes(':') ? `[${host}]` : host
  return `http://${isAny ? 'localhost' : name}:${port}`
}

export function pathOf(url: string): string {
  return new URL(url).pathname.replace(/\/$/, '')
}

/**
 * The origins of the web app. Without PUBLIC_URL, a browser may use localhost where the service
 * uses 127.0.0.1.
 */
export function originsOf(publicUrl: string, configuredUrl: string | undefined): string[] {
  const { origin, hostname, port } = new URL(publicUrl)
  if (configuredUrl !== undefined || !['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) return [origin]
  return ['127.0.0.1', 'localhost', '[::1]'].map((host) => new URL(`http://${host}:${port || 80}`).origin)
}
