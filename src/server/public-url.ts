export function pathOf(url: string): string {
  return new URL(url).pathname.replace(/\/$/, '')
}

/** Without PUBLIC_URL a browser may say localhost where we say 127.0.0.1; both are this machine. */
export function originsOf(publicUrl: string, given: string | undefined): string[] {
  const { origin, hostname, port } = new URL(publicUrl)
  if (given !== undefined || !['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) return [origin]
  return ['127.0.0.1', 'localhost', '[::1]'].map((host) => `http://${host}:${port || 80}`)
}
