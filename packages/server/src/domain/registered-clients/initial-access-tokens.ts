/** Initial access tokens (RFC 7591 section 3): shown once, stored as hashes, each with a policy and a number of uses. */
import type { RegistrationPolicy } from '@countersign/contract/client-registration.ts'
import { type Selectable, sql } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import { newHashedOpaque, opaqueHash } from '../../kernel/opaque.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { assertPolicy, readRegistrationSettings } from './settings.ts'

export type InitialAccessTokenRow = Omit<Selectable<Tables['initial_access_tokens']>, 'hash'>

const COLUMNS = [
  ...(['tenant_id', 'id', 'name', 'policy', 'most_registrations', 'registrations'] as const),
  ...(['created_at', 'expires_at'] as const),
] as const

/** The tokens of a tenant, newest first, the used up and the expired too. */
export const listInitialAccessTokens = (
  { database }: Store,
  tenant: Tenant,
  request: PageRequest,
): Promise<Page<InitialAccessTokenRow>> =>
  paginate(
    database.kysely,
    database.kysely.selectFrom('initial_access_tokens').select(COLUMNS).where(inTenant(tenant.id)),
    request,
  )

interface NewToken {
  readonly name: string
  /** What it leaves out is as the tenant has it now. */
  readonly policy?: Partial<RegistrationPolicy> | undefined
  /** null: any number. */
  readonly maxRegistrations: number | null
  readonly expiresAt: Date | null
}

/** Creates a token; returns its row and its value. Throws 400 for an expiry in the past, or a policy that names what does not exist. */
export const createInitialAccessToken = operation([], async (unit, input: NewToken) => {
  const { tx, tenant, now } = unit
  const { name, maxRegistrations, expiresAt } = input
  if (expiresAt && expiresAt <= now) throw new ApiError('request.invalid_input', { reason: 'expiresAt is in the past' })
  const policy = { ...(await readRegistrationSettings(tx, tenant.id)).policy, ...input.policy }
  await assertPolicy(unit, policy)
  const { value, hash } = newHashedOpaque('initialAccessToken')
  const row: InitialAccessTokenRow = await tx
    .insertInto('initial_access_tokens')
    .values({
      tenant_id: tenant.id,
      id: newId(),
      name,
      hash,
      policy: JSON.stringify(policy),
      most_registrations: maxRegistrations,
      created_at: now,
      expires_at: expiresAt,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  unit.concerns('initialAccessToken', row.id, { after: { name, policy, maxRegistrations, expiresAt } })
  return { row, value }
})

/** Deletes a token: nobody registers with it from then on. Throws 404. */
export const deleteInitialAccessToken = operation([], async (unit, id: string): Promise<void> => {
  const deleted = await unit.tx
    .deleteFrom('initial_access_tokens')
    .where(inTenant(unit.tenant.id))
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  if (!deleted) throw notFound('initial access token', id)
  unit.concerns('initialAccessToken', id, { before: { name: deleted.name } })
})

/** The policy of a token that can be used now; undefined for any other value. Uses nothing up. */
export const policyOfToken = async (
  { database, clock }: Store,
  tenant: Tenant,
  value: string,
): Promise<RegistrationPolicy | undefined> => {
  const hash = opaqueHash('initialAccessToken', value)
  if (!hash) return undefined
  const row = await database.kysely
    .selectFrom('initial_access_tokens')
    .select('policy')
    .where(inTenant(tenant.id))
    .where('hash', '=', hash)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', clock.now())]))
    .where(({ or, eb, ref }) =>
      or([eb('most_registrations', 'is', null), eb('registrations', '<', ref('most_registrations'))]),
    )
    .executeTakeFirst()
  return row?.policy
}

/** Uses a token up by one registration, whatever node it is on; undefined if it cannot be used. */
export const useInitialAccessToken = async (
  { tx, tenant, now }: Unit,
  value: string,
): Promise<{ readonly id: string; readonly policy: RegistrationPolicy } | undefined> => {
  const hash = opaqueHash('initialAccessToken', value)
  if (!hash) return undefined
  const { rows } = await sql<{ id: string; policy: RegistrationPolicy }>`
    UPDATE initial_access_tokens SET registrations = registrations + 1
    WHERE tenant_id = ${tenant.id} AND hash = ${hash} AND (expires_at IS NULL OR expires_at > ${now})
      AND (most_registrations IS NULL OR registrations < most_registrations)
    RETURNING id, policy`.execute(tx)
  return rows[0]
}
