/**
 * The contents of a hook's row, and its sealed parts: the headers it sends and the keys it signs with (DECISIONS K3,
 * K7).
 */

import type { Selectable } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import type { Vault } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'

export type HookRow = Selectable<Tables['hooks']>
export type HookHeaders = Readonly<Record<string, string>>

/** Where a request goes, and what signs it. */
export interface HookTarget {
  readonly url: string
  readonly headers: HookHeaders
  /** The current one, then the previous one while both sign. */
  readonly keys: readonly string[]
}

/** The sealed parts of a hook, wherever they were read. */
export type SealedTarget = Pick<
  HookRow,
  'tenant_id' | 'id' | 'url' | 'sealed_headers' | 'sealed_key' | 'sealed_previous_key' | 'previous_key_expires_at'
>

/** The tag of what is built from the hooks of every tenant. */
export const HOOKS_TAG = '/hooks'
const WITH_HOOKS = 'tenants-with-hooks'

/** The tenants that have enabled hooks; from the cache. */
export const tenantsWithHooks = ({ cache, database }: Store): Promise<ReadonlySet<string>> =>
  cache.get('*', WITH_HOOKS, async () => {
    const rows = await database.configuration
      .selectFrom('hooks')
      .select('tenant_id')
      .distinct()
      .where('is_enabled', '=', true)
      .execute()
    return { value: new Set(rows.map(({ tenant_id }) => tenant_id)), tags: [HOOKS_TAG] }
  })

type Part = 'key' | 'headers'
const purpose = (tenantId: string, id: string, part: Part) => `hook-${part}/${tenantId}/${id}`

/** Seals a part of a hook for its row. */
export const sealPart = (vault: Vault, tenantId: string, id: string, part: Part, text: string): Buffer =>
  vault.seal(text, purpose(tenantId, id, part))

/** What the API shows as the signing key, and what keys `logto-signature-sha-256`. */
export const signingKeyOf = (vault: Vault, { tenant_id, id, sealed_key }: SealedTarget): string =>
  vault.unseal(sealed_key, purpose(tenant_id, id, 'key'))

export const headersOf = (vault: Vault, { tenant_id, id, sealed_headers }: SealedTarget): HookHeaders =>
  JSON.parse(vault.unseal(sealed_headers, purpose(tenant_id, id, 'headers'))) as HookHeaders

/** The current target of the hook, and its keys. */
export const targetOf = (vault: Vault, row: SealedTarget, now: Date): HookTarget => {
  const { tenant_id, id, url, sealed_previous_key, previous_key_expires_at } = row
  const isRotating = sealed_previous_key !== null && previous_key_expires_at !== null && previous_key_expires_at > now
  const previous = isRotating ? [vault.unseal(sealed_previous_key, purpose(tenant_id, id, 'key'))] : []
  return { url, headers: headersOf(vault, row), keys: [signingKeyOf(vault, row), ...previous] }
}

/** Headers that the server itself sets, and those that belong to the connection. */
const RESERVED =
  /^(webhook-.*|logto-signature-sha-256|content-type|content-length|content-encoding|host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*|accept-encoding)$/i

/**
 * Throws 400 for a URL that is not http(s), or for headers that are the server's. Whether it may be reached is checked
 * when it is.
 */
export const assertTarget = ({ url, headers = {} }: { url: string; headers?: HookHeaders | undefined }): void => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isHttp = parsed?.protocol === 'https:' || parsed?.protocol === 'http:'
  if (!isHttp || parsed.username || parsed.password || parsed.hash) throw new ApiError('hook.invalid_url')
  const reserved = Object.keys(headers).find((name) => RESERVED.test(name))
  if (reserved !== undefined) throw new ApiError('hook.reserved_header', { name: reserved })
}

/** The hook. Throws 404. @param lock locks it until the end of the transaction */
export const readHook = async (db: Db, { id: tenantId }: Tenant, id: string, lock = false): Promise<HookRow> => {
  const query = db.selectFrom('hooks').selectAll().where(inTenant(tenantId)).where('id', '=', id)
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst()
  if (!row) throw notFound('hook', id)
  return row
}
