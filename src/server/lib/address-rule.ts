import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Internal addresses in a public range: Azure's WireServer, which each host offers its machines. */
const deniedAddresses = ['168.63.129.16']
/**
 * Contains all public IPv6 addresses. ipaddr.js also reports ranges that it does not know, such as
 * ::/96, as unicast.
 */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Returns a function that says whether we may call an address: a public unicast address, or one in
 * a network that the operator allows, such as 10.1.2.0/24.
 */
export function createAddressRule(allowedCidrs: string[]): (address: string) => boolean {
  return (address) => {
    const plain = readAddress(address)
    if (!plain) return false
    if (allowedCidrs.some((cidr) => isIn(cidr, plain))) return true
    if (plain instanceof ipaddr.IPv6 && !plain.match(publicIpv6)) return false
    return plain.range() === 'unicast' && !deniedAddresses.includes(plain.toString())
  }
}

/** Whether a network such as 10.1.2.0/24 contains an address. False if either is malformed. */
export function isInNetwork(cidr: string, address: string): boolean {
  const plain = readAddress(address)
  return plain !== undefined && isIn(cidr, plain)
}

function isIn(cidr: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (!ipaddr.isValidCIDR(cidr)) return false
  const [network, bits] = ipaddr.parseCIDR(cidr)
  return network.kind() === address.kind() && address.match(network as never, bits)
}

/** An IPv4-mapped IPv6 address is returned as IPv4. */
function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (isIP(text) === 4) return ipaddr.IPv4.parse(text)
  if (isIP(text) !== 6) return undefined
  // Normalized first: unlike the system, ipaddr.js treats ::127.0.0.1 as the mapped
  // ::ffff:127.0.0.1.
  const url = `http://[${text}]/`
  return URL.canParse(url) ? ipaddr.process(new URL(url).hostname.slice(1, -1)) : undefined
}
