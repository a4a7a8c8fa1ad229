import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Public by its range, yet the host of a cloud answers there. */
const deniedThough = ['168.63.129.16']
/** All of IPv6 that was ever given out. What lies outside has no range of its own, such as IPv4 in ::/96. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Which addresses we may call: public unicast, and what an operator allows besides, such as 10.1.2.0/24. */
export function createAddressRule(allowedCidrs: string[]): (address: string) => boolean {
  const allowed = allowedCidrs.map((cidr) => ipaddr.parseCIDR(cidr))

  return (address) => {
    const plain = readAddress(address)
    if (!plain) return false
    if (
      allowed.some(
        ([network, bits]) => network.kind() === plain.kind() && plain.match(network as never, bits),
      )
    )
      return true
    if (plain instanceof ipaddr.IPv6 && !plain.match(publicIpv6)) return false
    return plain.range() === 'unicast' && !deniedThough.includes(plain.toString())
  }
}

/** IPv4 mapped into IPv6 is the IPv4 address it is. */
function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (isIP(text) === 4) return ipaddr.IPv4.parse(text)
  if (isIP(text) !== 6) return undefined
  // Written anew first: ipaddr.js takes ::127.0.0.1 for the mapped ::ffff:127.0.0.1, the system does not.
  const url = `http://[${text}]/`
  return URL.canParse(url) ? ipaddr.process(new URL(url).hostname.slice(1, -1)) : undefined
}
