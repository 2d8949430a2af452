/**
 * The one reader of addresses, ranges and loopback hosts. Pure functions, with more cases than a running server could
 * be tested with.
 */
import {
  addressSet,
  countedNetwork,
  isLoopbackAddress,
  isLoopbackHost,
  isLoopbackUrl,
  isPrivateAddress,
  isRange,
} from '@countersign/server/kernel/network.ts'
import { describe, expect, test } from 'vitest'

test.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['127.0.0.1', true],
  ['127.255.255.254', true],
  ['::1', true],
  ['[::1]', true],
  ['[0:0:0:0:0:0:0:1]', true],
  ['', false],
  ['localhost.', false],
  ['localhost.example', false],
  ['auth.localhost', false],
  ['127.0.0.1.example', false],
  // a name, not an address: its owner decides where it leads
  ['127.999.1.1', false],
  ['127.0.0.256', false],
  ['128.0.0.1', false],
  ['0.0.0.0', false],
  ['10.0.0.1', false],
  ['[::2]', false],
  ['[::ffff:127.0.0.1]', false],
])('R-31 the host %s is this machine: %s', (host, expected) => {
  expect(isLoopbackHost(host)).toBe(expected)
})

test.each([
  ['http://localhost:3001', true],
  ['http://127.0.0.1', true],
  ['http://127.9.8.7:1', true],
  ['http://127.1/', true],
  ['http://[::1]:3001', true],
  ['https://auth.example', false],
  ['https://localhost.auth.example', false],
  ['https://10.0.0.1', false],
])('R-31 %s is of this machine alone: %s', (url, expected) => {
  expect(isLoopbackUrl(url)).toBe(expected)
})

test.each([
  ['10.0.0.0/8', true],
  ['10.0.0.0/0', true],
  ['10.0.0.0/32', true],
  ['192.0.2.1', true],
  ['2001:db8::/32', true],
  ['::/0', true],
  ['::1/128', true],
  ['', false],
  ['10.0.0.0/', false],
  ['10.0.0.0/33', false],
  ['10.0.0.0/-1', false],
  ['10.0.0.0/8.0', false],
  ['10.0.0.0/ 8', false],
  ['10.0.0.0/0008', false],
  ['10.0.0.0/8/8', false],
  ['10.0.0/8', false],
  ['300.1.1.1', false],
  ['::1/129', false],
  ['[::1]', false],
  ['fe80::1%eth0', false],
  ['internal', false],
])('%s is a range: %s', (text, expected) => {
  expect(isRange(text)).toBe(expected)
})

describe('a set of ranges', () => {
  const set = addressSet(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', '::/96'])

  test.each([
    ['10.255.0.1', true],
    ['11.0.0.1', false],
    ['192.0.2.1', true],
    ['192.0.2.2', false],
    ['2001:db8:ffff::1', true],
    ['2001:DB8::1', true],
    ['2001:db9::1', false],
    // an IPv4-compatible address is an IPv6 address, an IPv4-mapped one is neither
    ['::10.0.0.1', true],
    ['::ffff:10.0.0.1', false],
    ['::ffff:a00:1', false],
    ['', false],
    ['internal', false],
  ])('has %s: %s', (address, expected) => {
    expect(set.has(address)).toBe(expected)
  })

  test('that covers everything contains no IPv4-mapped address either', () => {
    expect(addressSet(['::/0', '0.0.0.0/0']).has('::ffff:10.0.0.1')).toBe(false)
    expect(isLoopbackAddress('::ffff:127.0.0.1')).toBe(false)
  })
})

test.each([
  ['127.0.0.1', true],
  ['10.1.2.3', true],
  ['172.16.0.1', true],
  ['172.31.255.255', true],
  ['172.32.0.1', false],
  ['192.168.1.1', true],
  ['100.64.0.1', true],
  ['100.128.0.1', false],
  ['169.254.1.1', true],
  ['::1', true],
  ['fd00::1', true],
  ['fe80::1', true],
  ['fec0::1', false],
  ['::ffff:10.0.0.1', true],
  ['::FFFF:a00:1', true],
  ['::ffff:192.0.2.1', false],
  ['192.0.2.1', false],
  ['2001:db8::1', false],
  ['fd.example', false],
])('%s is private: %s', (address, expected) => {
  expect(isPrivateAddress(address)).toBe(expected)
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:DB8:0:0:1:2:3:4', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3::', '2001:db8:1:2::/64'],
  // here :: stands for one group
  ['::2:3:4:5:6:7:8', '0:2:3:4::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is counted as %s', (ip, counted) => {
  expect(countedNetwork(ip)).toBe(counted)
})
