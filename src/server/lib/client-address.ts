import ipaddr from 'ipaddr.js'

/** Behind n proxies the client is the n-th address from the right; anything further left may be forged. */
export function readClientAddress(
  headers: Headers,
  socketAddress: string | undefined,
  trustProxy: number,
): string {
  const forwarded = (headers.get('x-forwarded-for') ?? '').split(',').map((part) => part.trim())
  const client = trustProxy > 0 ? forwarded.at(-trustProxy) : undefined
  return (client || socketAddress || 'unknown').slice(0, 64)
}

/** The network that rate limits count as one caller. An IPv6 customer usually has a whole /64. */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address
  const plain = ipaddr.process(address)
  if (plain instanceof ipaddr.IPv4) return plain.toString()
  return `${plain.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
