// The push services of Chrome and its relatives, Firefox, Safari, and Edge on Windows.
const knownHosts = [
  /^fcm\.googleapis\.com$/,
  /^([a-z0-9-]+\.)*push\.services\.mozilla\.com$/,
  /^([a-z0-9-]+\.)*push\.apple\.com$/,
  /^([a-z0-9-]+\.)*notify\.windows\.com$/,
]

/**
 * Whether push messages may be sent to this URL: a member could register any. `allowed`: origins of
 * further services.
 */
export function isPushService(endpoint: string, allowed: string[]): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, port, origin, username, password } = new URL(endpoint)
  if (username !== '' || password !== '') return false
  if (allowed.includes(origin)) return true
  return protocol === 'https:' && port === '' && knownHosts.some((host) => host.test(hostname))
}
