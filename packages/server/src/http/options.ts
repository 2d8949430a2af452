/**
 * HTTP: the shell around everything that answers requests. It knows addresses, bodies, headers and errors, and is the
 * only folder that names the web framework. What an endpoint does is up to its module.
 */
import { resolve } from 'node:path'
import { oneOf, option, readableFile, text, wholeNumber } from '../kernel/configuration.ts'
import { parseMutualTlsAddress } from '../kernel/mutual-tls.ts'
import { isRange } from '../kernel/network.ts'
import { parseBaseUrl } from '../kernel/tenant.ts'
import { CERTIFICATE_FORMATS } from './client-certificate-header.ts'

const asRange = (value: string): string => {
  if (isRange(value)) return value
  throw new Error(`must be a comma-separated list of addresses or CIDR ranges; "${value}" is neither`)
}

/** The file need not exist: what lacks it says so. */
const resolvedPath = (value: string): string => resolve(value)

/** RFC 9110 section 5.1, in lower case. */
const headerName = (value: string): string => {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(value)) return value.toLowerCase()
  throw new Error('must be the name of a header')
}

export const httpOptions = {
  baseUrl: option({
    env: 'BASE_URL',
    default: undefined,
    description:
      'The public address of the default tenant; http://localhost:PORT by default. Issuer, links, cookies and redirects are derived from it alone.',
    parse: parseBaseUrl,
  }),
  port: option({
    env: 'PORT',
    default: '3001',
    description: 'The port to listen on; 0 chooses a free one.',
    parse: wholeNumber(0, 65_535),
  }),
  host: option({ env: 'HOST', default: '0.0.0.0', description: 'The address to listen on.', parse: text }),
  geoipFile: option({
    env: 'GEOIP_FILE',
    default: undefined,
    description:
      'A database in MaxMind’s format, such as GeoLite2-City.mmdb, that maps addresses to places: for adaptive MFA (a new country, impossible travel) and custom claims. It is read into memory at the start, and again when it is replaced. Without it these rules do not apply.',
    parse: readableFile,
  }),
  trustedProxies: option({
    env: 'TRUSTED_PROXIES',
    default: '',
    description:
      'Addresses or CIDR ranges of reverse proxies whose X-Forwarded-For and X-Forwarded-Host are trusted. Empty: forwarded headers are ignored.',
    parse: (value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean)
        .map(asRange),
  }),
  mtlsPort: option({
    env: 'MTLS_PORT',
    default: undefined,
    description:
      'A further port, with TLS, that asks clients for a certificate (RFC 8705); it needs MTLS_CERT_FILE and MTLS_KEY_FILE. Off by default.',
    parse: wholeNumber(1, 65_535),
  }),
  mtlsCertFile: option({
    env: 'MTLS_CERT_FILE',
    default: undefined,
    description:
      'The certificate of MTLS_PORT in PEM, followed by those that lead to its CA. It is read at the start, and again when it or the key is replaced.',
    parse: resolvedPath,
  }),
  mtlsKeyFile: option({
    env: 'MTLS_KEY_FILE',
    default: undefined,
    description: 'The private key of MTLS_CERT_FILE in PEM.',
    parse: resolvedPath,
  }),
  mtlsAddress: option({
    env: 'MTLS_ADDRESS',
    default: undefined,
    description:
      'The public address at which clients present certificates, such as https://mtls.{host} or https://{host}:8443: discovery names it in mtls_endpoint_aliases. {host} stands for the host name of each tenant’s base URL; without it only the default tenant is there. https://{host}:MTLS_PORT by default; without that port, the base URL.',
    parse: parseMutualTlsAddress,
  }),
  clientCertificateHeader: option({
    env: 'CLIENT_CERTIFICATE_HEADER',
    default: undefined,
    description:
      'The header in which a proxy of TRUSTED_PROXIES passes on the certificate of a client, such as Client-Cert. The proxy must remove this header from what clients send. By default there is none, and from any other address it is ignored.',
    parse: headerName,
  }),
  clientCertificateFormat: option({
    env: 'CLIENT_CERTIFICATE_FORMAT',
    default: 'rfc9440',
    description:
      'How that header is written: rfc9440 (with the chain in the header of the same name and -Chain), pem (percent-encoded PEM, or base64 with commas: nginx, HAProxy, Traefik, AWS), or xfcc (X-Forwarded-Client-Cert of Envoy).',
    parse: oneOf(CERTIFICATE_FORMATS),
  }),
  addressFailures: option({
    env: 'ADDRESS_FAILURES',
    default: '100',
    description:
      'How many wrong passwords and codes one address (a /64 for IPv6) may send to a node within ten minutes before it is refused with 429. 0: any number. Behind a proxy set TRUSTED_PROXIES, or all users count as one address.',
    parse: wholeNumber(0, 1_000_000),
  }),
  addressSends: option({
    env: 'ADDRESS_SENDS',
    default: '100',
    description:
      'How many codes one address (a /64 for IPv6) may have sent by a node within ten minutes, to any recipients, before it is refused with 429. 0: any number. Behind a proxy set TRUSTED_PROXIES, or all users count as one address.',
    parse: wholeNumber(0, 1_000_000),
  }),
  addressRegistrations: option({
    env: 'ADDRESS_REGISTRATIONS',
    default: '100',
    description:
      'How many accounts one address (a /64 for IPv6) may register at a node within ten minutes before it is refused with 429; checks whether a name is free count too. 0: any number. Behind a proxy set TRUSTED_PROXIES, or all users count as one address.',
    parse: wholeNumber(0, 1_000_000),
  }),
  addressInteractions: option({
    env: 'ADDRESS_INTERACTIONS',
    default: '1000',
    description:
      'How many sign-ins one address (a /64 for IPv6) may start at a node within ten minutes without finishing them, before it is refused with 429. 0: any number. Behind a proxy set TRUSTED_PROXIES, or all callers count as one address.',
    parse: wholeNumber(0, 1_000_000),
  }),
  addressPushedRequests: option({
    env: 'ADDRESS_PUSHED_REQUESTS',
    default: '1000',
    description:
      'How many authorization requests one address (a /64 for IPv6) may push to a node within ten minutes for applications without a secret, before it is refused with 429. 0: any number.',
    parse: wholeNumber(0, 1_000_000),
  }),
  addressDeviceCodes: option({
    env: 'ADDRESS_DEVICE_CODES',
    default: '300',
    description:
      'How many device codes one address (a /64 for IPv6) may request from a node within ten minutes for applications without a secret, before it is refused with 429. 0: any number.',
    parse: wholeNumber(0, 1_000_000),
  }),
  addressAuditEntries: option({
    env: 'ADDRESS_AUDIT_ENTRIES',
    default: '300',
    description:
      'How many audit entries one address (a /64 for IPv6) may cause at a node within ten minutes without authenticating: refused requests and sign-ins that were only started. Further ones are counted by a metric and not stored. 0: any number.',
    parse: wholeNumber(0, 1_000_000),
  }),
  addressUploads: option({
    env: 'ADDRESS_UPLOADS',
    default: '30',
    description:
      'How many images one address (a /64 for IPv6) may upload to a node within ten minutes while signing in or registering, before it is refused with 429. 0: any number. Behind a proxy set TRUSTED_PROXIES, or all users count as one address.',
    parse: wholeNumber(0, 1_000_000),
  }),
  scimRequests: option({
    env: 'SCIM_REQUESTS',
    default: '3000',
    description:
      'How many requests one SCIM directory may send to a node within a minute before it is refused with 429; each operation of Bulk counts. 0: any number.',
    parse: wholeNumber(0, 1_000_000),
  }),
  adminPort: option({
    env: 'ADMIN_PORT',
    default: undefined,
    description: 'A second port with /metrics (Prometheus) and /status. Off by default; not for the public.',
    parse: wholeNumber(0, 65_535),
  }),
  adminHost: option({
    env: 'ADMIN_HOST',
    default: '127.0.0.1',
    description: 'The address that the second port listens on.',
    parse: text,
  }),
}
