/**
 * Requests that are stored for a minute and used once: pushed authorization requests (RFC 9126), and sign-out and
 * authorization requests that came in a form and are too long for a URL.
 */
import { sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import { newHashedOpaque, opaqueHash } from '../../kernel/opaque.ts'
import { operation } from '../../storage/unit-of-work.ts'

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

/** Consumes a pushed request: one conditional statement. Undefined: this client has no such request, or it was used. */
export const consumePushedRequest = operation(
  [],
  async (
    { tx, tenant, now, vault },
    kind: Kind,
    applicationId: string,
    value: string,
  ): Promise<PushedParameters | undefined> => {
    const hash = opaqueHash(kind, value)
    if (!hash) return undefined
    const { rows } = await sql<{ parameters: PushedParameters }>`
      UPDATE pushed_requests SET consumed_at = ${now}
      WHERE tenant_id = ${tenant.id} AND hash = ${hash} AND application_id = ${applicationId}
        AND consumed_at IS NULL AND expires_at > ${now}
      RETURNING parameters`.execute(tx)
    const [row] = rows
    const unseal = (value: string) => vault.unseal(Buffer.from(value, 'base64'), sealedFor(tenant.id, hash))
    return row && mapSecrets(row.parameters, unseal)
  },
)
