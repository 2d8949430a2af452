/** Whether the server takes client certificates (RFC 8705), and at which address of each tenant (MTLS_ADDRESS, DECISIONS V11). */
import { DEFAULT_TENANT, parseBaseUrl, type Tenant } from './tenant.ts'

const HOST = '{host}'

/** Gives the address at which a tenant takes client certificates; undefined: none but its base URL. */
type MutualTlsOrigin = (tenant: Pick<Tenant, 'id' | 'baseUrl'>) => string | undefined

export interface MutualTls {
  /** Whether a client can present a certificate at all: at a port of this server, or to a proxy that passes it on. */
  readonly isOffered: boolean
  readonly origin: MutualTlsOrigin
}

/** Of commands, and of every server that is not told otherwise. */
export const NO_MUTUAL_TLS: MutualTls = { isOffered: false, origin: () => undefined }

/**
 * Parses an https URL with nothing after the host and port. `{host}` in it stands for the host name of the tenant's base URL; without it
 * only the default tenant is there. Throws a sentence fragment otherwise.
 */
export const parseMutualTlsAddress = (text: string): MutualTlsOrigin => {
  if (!/^https:/i.test(text)) throw new Error('must be an https URL')
  const originAt = (host: string) => parseBaseUrl(text.replaceAll(HOST, host))
  originAt('localhost')
  const isForAll = text.includes(HOST)
  return ({ id, baseUrl }) => (isForAll || id === DEFAULT_TENANT ? originAt(new URL(baseUrl).hostname) : undefined)
}
