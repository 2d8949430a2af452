/**
 * Which IP addresses the server may send requests to (DECISIONS K7, SECURITY R-31): public ones, by the registries
 * of special-purpose addresses (RFC 6890), and none that lead elsewhere in disguise.
 */
import { isIP } from 'node:net'
import { addressSet, isLoopbackAddress } from '../kernel/network.ts'

/** Not public, or not a single host; everything else in IPv4 is public. */
const FORBIDDEN_IPV4 = [
  '0.0.0.0/8', // "this network", which includes this host
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8',
  '168.63.129.16/32', // the metadata address of Azure
  '169.254.0.0/16', // link-local, with the metadata addresses of most clouds
  '172.16.0.0/12',
  '192.0.0.0/24', // protocol assignments, with the metadata address of Oracle
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]

/**
 * 2000::/3 is public except for these. Outside it are loopback, link-local, unique-local, multicast, IPv4-mapped
 * (::ffff:0:0/96) and -compatible (::/96) addresses, and those of NAT64 (64:ff9b::/96), which would lead to any IPv4
 * address.
 */
const PUBLIC_IPV6 = '2000::/3'
const FORBIDDEN_IPV6 = [
  '2001::/23', // protocol assignments, with Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: any IPv4 address
  '3fff::/20', // documentation
]

const [forbidden4, forbidden6] = [addressSet(FORBIDDEN_IPV4), addressSet(FORBIDDEN_IPV6)]
const public6 = addressSet([PUBLIC_IPV6])

/** Whether an address is public. */
const isPublic = (address: string): boolean =>
  isIP(address) === 4 ? !forbidden4.has(address) : public6.has(address) && !forbidden6.has(address)

/** What the operator allows besides public addresses. */
export interface Allowed {
  /** Host names, in lower case. */
  readonly hosts: readonly string[]
  /** Addresses and CIDR ranges. */
  readonly ranges: readonly string[]
}

export interface AddressGuard {
  /** Whether the operator listed this host or address: then it may be anywhere, and plain http. */
  isListed(host: string, address: string): boolean
  isLoopback(address: string): boolean
  /**
   * Whether plain http to a host may be allowed, judged by its name, before its addresses are known: a name of this
   * machine, or one that is listed or may resolve to a listed range.
   */
  mayBePlain(host: string): boolean
  /** Whether it may be connected to. */
  isAllowed(host: string, address: string): boolean
}

/** @param allowLoopback while the server itself is reached at a loopback address */
export const createAddressGuard = ({ hosts, ranges }: Allowed, allowLoopback: boolean): AddressGuard => {
  const listed = addressSet(ranges)
  const isLoopback = (address: string) => allowLoopback && isLoopbackAddress(address)
  const isListed = (host: string, address: string) => hosts.includes(host) || listed.has(address)
  /** A name without a dot belongs to this machine or its network. */
  const isNear = (name: string) => allowLoopback && (name.endsWith('.localhost') || !name.includes('.'))
  return {
    isListed,
    isLoopback,
    mayBePlain: (host) =>
      isIP(host) === 0
        ? hosts.includes(host) || ranges.length > 0 || isNear(host)
        : isListed(host, host) || isLoopback(host),
    isAllowed: (host, address) =>
      isIP(address) !== 0 &&
      !address.includes('%') &&
      (isPublic(address) || isLoopback(address) || isListed(host, address)),
  }
}
