/** Where the console of each tenant is: at its base URL, at an address of its own, or nowhere (CONSOLE, DECISIONS U11). */
import { DEFAULT_TENANT, parseBaseUrl, type Tenant } from './tenant.ts'

const TENANT_ID = '{tenant}'

/** Gives the origin of a tenant's console; undefined: it has none. */
export type ConsoleOrigin = (tenant: Pick<Tenant, 'id' | 'baseUrl'>) => string | undefined

/** Of commands, and of every server that is not told otherwise: the base URL. */
export const CONSOLE_AT_BASE_URL: ConsoleOrigin = ({ baseUrl }) => baseUrl

/**
 * Parses `on`, `off`, or an http or https URL with nothing after the host and port. `{tenant}` in it stands for the id of each tenant;
 * without it only the default tenant has a console. Throws a sentence fragment otherwise.
 */
export const parseConsolePlace = (text: string): ConsoleOrigin => {
  if (text === 'on') return CONSOLE_AT_BASE_URL
  if (text === 'off') return () => undefined
  if (!/^https?:/i.test(text)) throw new Error('must be on, off, or an http or https URL')
  const originOf = (id: string) => parseBaseUrl(text.replaceAll(TENANT_ID, id))
  // a tenant's id is a host label in lower case, as this one is
  originOf(DEFAULT_TENANT)
  const isForAll = text.includes(TENANT_ID)
  return ({ id }) => (isForAll || id === DEFAULT_TENANT ? originOf(id) : undefined)
}
