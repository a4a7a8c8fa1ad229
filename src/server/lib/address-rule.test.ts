import { describe, expect, test } from 'vitest'
import { createAddressRule } from './address-rule.ts'

const notPublic = [
  ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  ...['169.254.169.254', '169.254.0.1', '100.64.0.1', '100.127.255.255', '168.63.129.16'],
  ...['0.1.2.3', '192.0.0.8', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
  ...['224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
  ...['fc00::1', 'fd12:3456::1', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1', 'ff0e::1'],
  // IPv4 inside IPv6: mapped, compatible, translated, NAT64 (also of one's own), 6to4, Teredo
  ...['::ffff:10.0.0.1', '::ffff:169.254.169.254', '::127.0.0.1', '::8.8.8.8', '::ffff:0:127.0.0.1'],
  ...['64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::10.0.0.1', '2002:7f00:1::', '2001::1'],
  ...['100::1', '2001:db8::1', '3fff::1', '5f00::1', '4000::1', '8000::1'],
]
const inPublic = ['8.8.8.8', '172.15.255.255', '172.32.0.1', '100.63.255.255', '2606:4700::1111', '2a00::1']

describe('where callbacks may go', () => {
  const mayConnect = createAddressRule([])

  test.each(notPublic)('%s is refused', (address) => {
    expect(mayConnect(address)).toBe(false)
  })

  test.each(inPublic)('%s is not', (address) => {
    expect(mayConnect(address)).toBe(true)
  })

  test.each(['', 'localhost', '127.0.0.1:80', '[::1]', 'fe80::1%eth0', '2a00::1]/x[', '8.8.8.8/0'])(
    '%j is no address, and refused',
    (text) => {
      expect(mayConnect(text)).toBe(false)
    },
  )

  test('an allowed network opens itself and nothing beside it', () => {
    const allowing = createAddressRule(['10.1.2.0/24', 'fd00:1::/32'])
    expect(['10.1.2.0', '10.1.2.255', '::ffff:10.1.2.3', 'fd00:1::9'].map(allowing)).toEqual([
      ...[true, true, true, true],
    ])
    expect(['10.1.3.0', '10.1.1.255', 'fd00:2::9', '127.0.0.1', '169.254.169.254'].map(allowing)).toEqual([
      ...[false, false, false, false, false],
    ])
  })
})
