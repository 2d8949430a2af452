/** The options of what leaves the server. */
import { isIP } from 'node:net'
import { oneOf, option } from '../kernel/configuration.ts'
import type { Allowed } from './addresses.ts'

const HOST = /^(?!.*\.\.)[a-z0-9_]([a-z0-9._-]*[a-z0-9])?$/

const isRange = (entry: string): boolean => {
  const [address = '', bits, ...rest] = entry.split('/')
  const most = isIP(address) === 6 ? 128 : 32
  if (isIP(address) === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
}

const parseAllowed = (value: string): Allowed => {
  const entries = value
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter(Boolean)
  const ranges = entries.filter(isRange)
  const hosts = entries.filter((entry) => !isRange(entry))
  const wrong = hosts.find((entry) => !HOST.test(entry) || /^[\d.]+$/.test(entry))
  if (wrong !== undefined) {
    throw new Error(`must be a list of host names, addresses and CIDR ranges separated by commas; "${wrong}" is none`)
  }
  return { hosts, ranges }
}

export const eventOptions = {
  outboundAllow: option({
    env: 'OUTBOUND_ALLOW',
    default: '',
    description:
      'Host names, addresses and CIDR ranges, separated by commas, that the server may connect to although they are not public, an internal mail relay among them, and send requests to by plain http. Dangerous: whoever may register an address with the server then reaches them. Empty: public addresses by https only; loopback ones too while BASE_URL is itself loopback.',
    parse: parseAllowed,
  }),
  workers: option({
    env: 'WORKERS',
    default: 'on',
    description:
      'Whether `countersign start` also does what no request waits for: webhooks, mail, logout tokens, deleting what has expired. off leaves that to processes of `countersign worker`, and needs DATABASE_URL.',
    parse: oneOf(['on', 'off']),
  }),
}
