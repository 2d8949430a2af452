/**
 * Metadata of identity providers in the database, as it was read last: for nodes that start while an identity provider cannot be reached.
 * It is sealed, because its certificates decide whom a response signs in.
 */
import { secondsAfter } from '../../../kernel/clock.ts'
import { hashSecret } from '../../../kernel/secrets.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { inTenant } from '../../../storage/in-tenant.ts'
import type { Store } from '../../../storage/store.ts'
import type { SamlMetadata } from './metadata.ts'

/** DECISIONS P16. */
export const KEPT_SECONDS = 14 * 86_400

/** Of what is kept: raised when a release needs more of the metadata than the one before has kept. */
const FORMAT = 1

/** Metadata, and when it was asked for. */
export interface FetchedMetadata {
  readonly metadata: SamlMetadata
  readonly fetchedAt: Date
}

const purpose = (tenant: Tenant): string => `saml-metadata/${tenant.id}`

const hashOf = (address: string): Buffer => hashSecret(JSON.stringify([FORMAT, address]))

/** Replaces what was kept, unless that is newer. @param address with the entity ID that is meant, if one is */
export const keepMetadata = async (
  { database, vault }: Store,
  tenant: Tenant,
  address: string,
  { metadata, fetchedAt }: FetchedMetadata,
): Promise<void> => {
  const kept = {
    sealed: vault.seal(JSON.stringify(metadata), purpose(tenant)),
    fetched_at: fetchedAt,
    expires_at: secondsAfter(fetchedAt, KEPT_SECONDS),
  }
  await database.kysely
    .insertInto('saml_metadata')
    .values({ tenant_id: tenant.id, hash: hashOf(address), ...kept })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'hash']).doUpdateSet(kept).where('saml_metadata.fetched_at', '<=', fetchedAt),
    )
    .execute()
}

/** What was kept; undefined: nothing, or it is too old. Does not check `validUntil`. */
export const keptMetadata = async (
  { database, vault, clock }: Store,
  tenant: Tenant,
  address: string,
): Promise<FetchedMetadata | undefined> => {
  const row = await database.kysely
    .selectFrom('saml_metadata')
    .select(['sealed', 'fetched_at'])
    .where(inTenant(tenant.id))
    .where('hash', '=', hashOf(address))
    .where('expires_at', '>', clock.now())
    .executeTakeFirst()
  if (!row) return undefined
  return { metadata: JSON.parse(vault.unseal(row.sealed, purpose(tenant))), fetchedAt: row.fetched_at }
}
