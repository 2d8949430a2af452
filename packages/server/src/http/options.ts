/**
 * HTTP: the shell around everything that answers requests. It knows addresses, bodies, headers and errors, and is the
 * only folder that names the web framework. What an endpoint does is its module's.
 */
import { option, text, wholeNumber } from '../kernel/configuration.ts'
import { isRange } from '../kernel/network.ts'
import { parseBaseUrl } from '../kernel/tenant.ts'

const asRange = (value: string): string => {
  if (isRange(value)) return value
  throw new Error(`must be a list of addresses or CIDR ranges separated by commas; "${value}" is none`)
}

export const httpOptions = {
  baseUrl: option({
    env: 'BASE_URL',
    default: undefined,
    description:
      'The address at which the default tenant is reached from outside; http://localhost:PORT unless set. Issuer, links, cookies and redirects come from it alone.',
    parse: parseBaseUrl,
  }),
  port: option({
    env: 'PORT',
    default: '3001',
    description: 'The port to listen on; 0 takes a free one.',
    parse: wholeNumber(0, 65_535),
  }),
  host: option({ env: 'HOST', default: '0.0.0.0', description: 'The address to listen on.', parse: text }),
  trustedProxies: option({
    env: 'TRUSTED_PROXIES',
    default: '',
    description:
      'Addresses or CIDR ranges of reverse proxies whose X-Forwarded-For and X-Forwarded-Host are believed. Empty: forwarded headers are ignored.',
    parse: (value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean)
        .map(asRange),
  }),
  addressFailures: option({
    env: 'ADDRESS_FAILURES',
    default: '100',
    description:
      'How many wrong passwords and codes one address (of IPv6 a /64) may send to a node within ten minutes before it is refused with 429. 0: any number. Behind a proxy set TRUSTED_PROXIES, or everybody is one address.',
    parse: wholeNumber(0, 1_000_000),
  }),
  addressSends: option({
    env: 'ADDRESS_SENDS',
    default: '100',
    description:
      'How many codes one address (of IPv6 a /64) may have sent by a node within ten minutes, to whomever, before it is refused with 429. 0: any number. Behind a proxy set TRUSTED_PROXIES, or everybody is one address.',
    parse: wholeNumber(0, 1_000_000),
  }),
  addressRegistrations: option({
    env: 'ADDRESS_REGISTRATIONS',
    default: '100',
    description:
      'How many accounts one address (of IPv6 a /64) may register at a node within ten minutes before it is refused with 429; to ask whether a name is free counts, too. 0: any number. Behind a proxy set TRUSTED_PROXIES, or all users are one address.',
    parse: wholeNumber(0, 1_000_000),
  }),
  addressInteractions: option({
    env: 'ADDRESS_INTERACTIONS',
    default: '1000',
    description:
      'How many sign-ins one address (of IPv6 a /64) may begin at a node within ten minutes without finishing them, before it is refused with 429. 0: any number. Behind a proxy set TRUSTED_PROXIES, or all callers are one address.',
    parse: wholeNumber(0, 1_000_000),
  }),
  addressPushedRequests: option({
    env: 'ADDRESS_PUSHED_REQUESTS',
    default: '1000',
    description:
      'How many authorization requests one address (of IPv6 a /64) may push to a node within ten minutes for applications without a secret, before it is refused with 429. 0: any number.',
    parse: wholeNumber(0, 1_000_000),
  }),
  addressDeviceCodes: option({
    env: 'ADDRESS_DEVICE_CODES',
    default: '300',
    description:
      'How many device codes one address (of IPv6 a /64) may ask of a node within ten minutes for applications without a secret, before it is refused with 429. 0: any number.',
    parse: wholeNumber(0, 1_000_000),
  }),
  addressAuditEntries: option({
    env: 'ADDRESS_AUDIT_ENTRIES',
    default: '300',
    description:
      'How many entries one address (of IPv6 a /64) may leave in the audit log of a node within ten minutes without proving who it is: refused requests and sign-ins that were only begun. Further ones are counted by a metric and not kept. 0: any number.',
    parse: wholeNumber(0, 1_000_000),
  }),
  adminPort: option({
    env: 'ADMIN_PORT',
    default: undefined,
    description: 'A second port with /metrics (Prometheus) and /status. Off unless set; not for the public.',
    parse: wholeNumber(0, 65_535),
  }),
  adminHost: option({
    env: 'ADMIN_HOST',
    default: '127.0.0.1',
    description: 'The address that the second port listens on.',
    parse: text,
  }),
}
