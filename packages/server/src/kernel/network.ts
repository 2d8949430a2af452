/**
 * IP addresses, CIDR ranges and loopback hosts: the only place that parses them. Which of them the server may
 * connect to is decided in events/addresses.ts.
 */
import { BlockList, isIP } from 'node:net'

/** For an address that isIP accepts. */
const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** The eight groups of an IPv6 address; a zone (`%eth0`) is dropped (RFC 4291 section 2.2). */
const groupsOf = (ipv6: string): number[] => {
  const plain = (ipv6.split('%')[0] ?? '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_dotted, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  const [head = [], tail] = plain.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = tail === undefined ? [] : Array<string>(8 - head.length - tail.length).fill('0')
  return [...head, ...zeros, ...(tail ?? [])].map((group) => Number.parseInt(group, 16))
}

/** The IPv4 address that an IPv4-mapped one (::ffff:0:0/96, RFC 4291 section 2.5.5.2) stands for; undefined for any other. */
const mappedIpv4 = (address: string): string | undefined => {
  if (isIP(address) !== 6) return undefined
  const [a, b, c, d, e, marker, high = 0, low = 0] = groupsOf(address)
  if (a || b || c || d || e || marker !== 0xffff) return undefined
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** The IPv4 address that an IPv4-mapped one stands for; any other address as it is. */
export const unmapped = (address: string): string => mappedIpv4(address) ?? address

/**
 * Whether a string is an address, or a CIDR range of addresses of its family. An address with a zone is not accepted.
 */
export const isRange = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || address.includes('%') || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32))
}

/** A set of addresses. */
export interface AddressSet {
  /**
   * False for anything that is not an address, and for every IPv4-mapped address: it is neither the IPv4 address nor in
   * an IPv6 range.
   */
  has(address: string): boolean
}

/** The addresses of the given ranges, each accepted by isRange. */
export const addressSet = (ranges: readonly string[]): AddressSet => {
  // a list for each family: BlockList also looks up an IPv4-mapped address among the IPv4 ranges
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = familyOf(address)
    lists[family].addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  return {
    has: (address) =>
      isIP(address) !== 0 &&
      mappedIpv4(address) === undefined &&
      lists[familyOf(address)].check(address, familyOf(address)),
  }
}

const LOOPBACK = addressSet(['127.0.0.0/8', '::1'])

/** Whether an address is a loopback address (RFC 6890). An IPv4-mapped address is not. */
export const isLoopbackAddress = (address: string): boolean => LOOPBACK.has(address)

/**
 * Whether a host is this machine, judged by its name: `localhost` or a loopback address, for IPv6 with or without
 * brackets. Resolves no name.
 */
export const isLoopbackHost = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || isLoopbackAddress(host.replace(/^\[(.*)\]$/, '$1'))

/** The same for the host of a URL, which must be valid. */
export const isLoopbackUrl = (url: string): boolean => isLoopbackHost(new URL(url).hostname)

const LOCAL = addressSet([
  '127.0.0.0/8',
  '::1',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10', // carrier-grade NAT
  '169.254.0.0/16', // link-local
  'fc00::/7', // unique-local
  'fe80::/10', // link-local
])

/**
 * Whether an address belongs to this machine or to a private network (RFC 6890); an IPv4-mapped address is judged by
 * the IPv4 address.
 */
export const isPrivateAddress = (address: string): boolean => LOCAL.has(unmapped(address))

/**
 * The network that limits per address count: for IPv6 the /64, which a provider assigns to one customer; for an
 * IPv4-mapped address the IPv4 address. Anything that is not an IPv6 address is returned unchanged.
 */
export const countedNetwork = (ip: string): string => {
  if (isIP(ip) !== 6) return ip
  const groups = groupsOf(ip).slice(0, 4)
  return mappedIpv4(ip) ?? `${groups.map((group) => group.toString(16)).join(':')}::/64`
}
