/**
 * Requests that are stored for a minute and used once: pushed authorization requests (RFC 9126), and sign-out and
 * authorization requests that came in a form and are too long for a URL. An authorization request is used up when a code is
 * issued for it, so that its page can be loaded again until then; a sign-out request when it is loaded.
 */
import { sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import { newHashedOpaque, opaqueHash } from '../../kernel/opaque.ts'
import type { Vault } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'

/** DECISIONS G3. */
export const PUSHED_REQUEST_SECONDS = 60

const URN = 'urn:ietf:params:oauth:request_uri:'

/** The `request_uri` of a stored request. */
export const requestUriOf = (value: string): string => `${URN}${value}`

/** The value behind one of the server's `request_uri`s; undefined for any other. */
export const pushedValue = (requestUri: string): string | undefined =>
  requestUri.startsWith(URN) ? requestUri.slice(URN.length) : undefined

/** What it may be used for; a request of one kind cannot be used as another (SECURITY R-4). */
type Kind = 'pushedRequest' | 'logoutRequest'

/** Parameters that sign someone in: sealed until the request is used. */
const SECRETS: ReadonlySet<string> = new Set(['one_time_token'])

type PushedParameters = Readonly<Record<string, readonly string[]>>

const mapSecrets = (parameters: PushedParameters, change: (value: string) => string): PushedParameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, values]) => [name, SECRETS.has(name) ? values.map(change) : values]),
  )

const sealedFor = (tenantId: string, hash: Buffer): string => `pushed-request/${tenantId}/${hash.toString('base64url')}`

/** Stores the parameters of a request for its client; returns the value that stands for them. */
export const pushRequest = operation(
  [],
  async (
    { tx, tenant, now, vault },
    kind: Kind,
    applicationId: string,
    parameters: PushedParameters,
  ): Promise<string> => {
    const { value, hash } = newHashedOpaque(kind)
    await tx
      .insertInto('pushed_requests')
      .values({
        tenant_id: tenant.id,
        hash,
        application_id: applicationId,
        parameters: JSON.stringify(
          mapSecrets(parameters, (value) => vault.seal(value, sealedFor(tenant.id, hash)).toString('base64')),
        ),
        expires_at: secondsAfter(now, PUSHED_REQUEST_SECONDS),
      })
      .execute()
    return value
  },
)

const unsealed = (vault: Vault, tenantId: string, hash: Buffer, parameters: PushedParameters): PushedParameters =>
  mapSecrets(parameters, (value) => vault.unseal(Buffer.from(value, 'base64'), sealedFor(tenantId, hash)))

/** Consumes a sign-out request: one conditional statement. Undefined: this client has no such request, or it was used. */
export const consumeLogoutRequest = operation(
  [],
  async ({ tx, tenant, now, vault }, applicationId: string, value: string): Promise<PushedParameters | undefined> => {
    const hash = opaqueHash('logoutRequest', value)
    if (!hash) return undefined
    const { rows } = await sql<{ parameters: PushedParameters }>`
      UPDATE pushed_requests SET consumed_at = ${now}
      WHERE tenant_id = ${tenant.id} AND hash = ${hash} AND application_id = ${applicationId}
        AND consumed_at IS NULL AND expires_at > ${now}
      RETURNING parameters`.execute(tx)
    const [row] = rows
    return row && unsealed(vault, tenant.id, hash, row.parameters)
  },
)

/** How an interaction names the pushed request that it is for; undefined: no value of this server. */
export const pushedRequestId = (value: string): string | undefined =>
  opaqueHash('pushedRequest', value)?.toString('hex')

/** The parameters behind a `request_uri` that still loads. Undefined: this client has none, it was used, or its minute is over. */
export const findPushedRequest = async (
  { database, clock, vault }: Store,
  { id: tenantId }: Tenant,
  applicationId: string,
  value: string,
): Promise<PushedParameters | undefined> => {
  const hash = opaqueHash('pushedRequest', value)
  if (!hash) return undefined
  const { rows } = await database.lookups.query({
    name: 'find-pushed-request',
    text: `SELECT parameters FROM pushed_requests
      WHERE tenant_id = $1 AND hash = $2 AND application_id = $3 AND consumed_at IS NULL
        AND COALESCE(usable_until, expires_at) > $4`,
    values: [tenantId, hash, applicationId, clock.now()],
  })
  const [row] = rows as { readonly parameters: PushedParameters }[]
  return row && unsealed(vault, tenantId, hash, row.parameters)
}

/** Whether a code was issued for the request, so that no other sign-in that began with it can end with one. */
export const isPushedRequestUsed = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  id: string,
): Promise<boolean> => {
  const { rows } = await database.lookups.query({
    name: 'is-pushed-request-used',
    text: 'SELECT FROM pushed_requests WHERE tenant_id = $1 AND hash = $2 AND consumed_at IS NULL',
    values: [tenantId, Buffer.from(id, 'hex')],
  })
  return rows.length === 0
}

/** Keeps the row for as long as a sign-in that began with it may take; the `request_uri` loads no longer than before. */
export const holdPushedRequest = async ({ tx, tenant }: Unit, id: string, until: Date): Promise<void> => {
  await sql`
    UPDATE pushed_requests SET usable_until = COALESCE(usable_until, expires_at), expires_at = GREATEST(expires_at, ${until})
    WHERE tenant_id = ${tenant.id} AND hash = ${Buffer.from(id, 'hex')} AND consumed_at IS NULL`.execute(tx)
}

/**
 * Uses a pushed authorization request up: one conditional statement, so that of any number of sign-ins that began with it one gets
 * true (SECURITY R-1). Does not ask whether it still loads: the sign-in has its own time.
 */
export const finishPushedRequest = async ({ tx, tenant, now }: Unit, id: string): Promise<boolean> => {
  const { rows } = await sql`
    UPDATE pushed_requests SET consumed_at = ${now}
    WHERE tenant_id = ${tenant.id} AND hash = ${Buffer.from(id, 'hex')} AND consumed_at IS NULL
    RETURNING hash`.execute(tx)
  return rows.length === 1
}
