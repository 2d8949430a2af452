/** The origins from which a tenant's applications call the server in a browser (DECISIONS C5). */
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'

/** Dropped by every change of an application's addresses. */
export const ORIGINS_TAG = 'application-origins'

/**
 * The origin of a web address; undefined for private schemes, which no browser sends as one, and for a host with a
 * wildcard: only exact origins count (SECURITY R-33), and those behind a wildcard have to be listed separately.
 */
const originOf = (uri: string): string | undefined => {
  const url = URL.parse(uri)
  return url && ['http:', 'https:'].includes(url.protocol) && !url.hostname.includes('*') ? url.origin : undefined
}

/**
 * The origins of an application: those of its redirect URIs, and those that it lists. Throws 400 for an entry that is
 * not an origin, which is scheme, host and port and nothing else.
 */
export const originsOf = (redirectUris: readonly string[], named: readonly string[]): string[] => {
  named.forEach((origin, index) => {
    if (originOf(origin) !== origin) {
      throw new ApiError('guard.invalid_input', {
        reason: `corsAllowedOrigins[${index}] is not an origin, such as https://app.example`,
        issues: [
          { path: `/customClientMetadata/corsAllowedOrigins/${index}`, reason: 'is not an origin', code: 'origin' },
        ],
      })
    }
  })
  const all = [...redirectUris.map(originOf), ...named].filter((origin) => origin !== undefined)
  return [...new Set(all)]
}

/** Whether an application of the tenant, or its console, has this origin; from the cache. */
export const isAllowedOrigin = (store: Store, tenant: Tenant, origin: string): Promise<boolean> => {
  const { id: tenantId, baseUrl } = tenant
  if (origin === baseUrl || origin === store.consoleOrigin(tenant)) return Promise.resolve(true)
  if (origin.length > 512 || originOf(origin) !== origin) return Promise.resolve(false)
  return store.cache.get(tenantId, `origin:${origin}`, async () => {
    const { rows } = await sql`
      SELECT FROM applications WHERE tenant_id = ${tenantId} AND origins @> ARRAY[${origin}::text] LIMIT 1`.execute(
      store.database.configuration,
    )
    return { value: rows.length > 0, tags: [ORIGINS_TAG] }
  })
}
