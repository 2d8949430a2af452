/**
 * The tokens that a provider has issued for a user's account there, kept for applications that call its API on behalf of the user. They
 * are sealed from the moment they arrive, for one account of one connector: nothing else opens them.
 */
import type { Selectable } from 'kysely'
import { notFound } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Vault } from '../../kernel/secrets.ts'
import type { Db } from '../../storage/database.ts'
import type { TokenSetMetadata } from '../../storage/federation-tables.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'

/** What a provider issued. */
export interface TokenSet {
  readonly accessToken: string
  readonly tokenType: string
  readonly scope?: string
  /** Seconds since the epoch; missing: the provider does not say. */
  readonly expiresAt?: number
  readonly refreshToken?: string
}

/** The connector that led to the account: a social one with its target, or one of enterprise SSO. */
export type TokenSource =
  | { readonly connectorId: string; readonly target: string }
  | { readonly ssoConnectorId: string }

export type TokenSetRow = Selectable<Tables['token_sets']>

/** Of a set, in characters of JSON: more is not kept. */
const LONGEST = 16_384

const idOf = (source: TokenSource): string => ('connectorId' in source ? source.connectorId : source.ssoConnectorId)

const purpose = (tenantId: string, connectorId: string, identityId: string): string =>
  `token-set/${tenantId}/${connectorId}/${identityId}`

/** Seals a set, in base64, until it is known whose account it is. Undefined: it is too large to keep. */
export const sealTokens = (
  vault: Vault,
  tenantId: string,
  { connectorId, identityId }: { readonly connectorId: string; readonly identityId: string },
  tokens: TokenSet,
): string | undefined => {
  const json = JSON.stringify(tokens)
  if (json.length > LONGEST) return undefined
  return vault.seal(json, purpose(tenantId, connectorId, identityId)).toString('base64')
}

/** The tokens of a row. */
export const tokensIn = (vault: Vault, row: TokenSetRow): TokenSet => {
  const connectorId = row.connector_id ?? row.sso_connector_id ?? ''
  return JSON.parse(vault.unseal(row.sealed, purpose(row.tenant_id, connectorId, row.identity_id))) as TokenSet
}

const metadataOf = ({ scope, expiresAt, tokenType, refreshToken }: TokenSet): TokenSetMetadata => ({
  ...(scope === undefined ? {} : { scope }),
  ...(expiresAt === undefined ? {} : { expiresAt }),
  tokenType,
  hasRefreshToken: refreshToken !== undefined,
})

const ofUser = (
  db: Db,
  tenantId: string,
  userId: string,
  source: Readonly<{ target: string } | { ssoConnectorId: string }>,
) =>
  db
    .selectFrom('token_sets')
    .selectAll()
    .where(inTenant(tenantId))
    .where('user_id', '=', userId)
    .where((eb) =>
      'target' in source ? eb('target', '=', source.target) : eb('sso_connector_id', '=', source.ssoConnectorId),
    )

/** The set that was kept for a user's account at a provider. */
export const findTokenSet = (...of: Parameters<typeof ofUser>): Promise<TokenSetRow | undefined> =>
  ofUser(...of).executeTakeFirst()

/** All that are kept for a user. */
export const tokenSetsOf = (db: Db, tenantId: string, userId: string): Promise<TokenSetRow[]> =>
  db.selectFrom('token_sets').selectAll().where(inTenant(tenantId)).where('user_id', '=', userId).execute()

/**
 * Keeps what came with a sign-in, in place of what there was; a provider that issues a refresh token only once leaves the former one.
 * The account has to be the user's by now.
 * @param sealed by sealTokens for this account
 */
export const keepTokenSet = async (
  { tx, tenant, vault, now }: Unit,
  userId: string,
  source: TokenSource,
  identityId: string,
  sealed: string,
): Promise<void> => {
  const before = await ofUser(tx, tenant.id, userId, source).forUpdate().executeTakeFirst()
  const connectorId = idOf(source)
  const brought = JSON.parse(
    vault.unseal(Buffer.from(sealed, 'base64'), purpose(tenant.id, connectorId, identityId)),
  ) as TokenSet
  const isSame = before?.identity_id === identityId && (before.connector_id ?? before.sso_connector_id) === connectorId
  const former = isSame ? tokensIn(vault, before).refreshToken : undefined
  const tokens =
    former !== undefined && brought.refreshToken === undefined ? { ...brought, refreshToken: former } : brought
  const kept = {
    identity_id: identityId,
    connector_id: 'connectorId' in source ? source.connectorId : null,
    target: 'target' in source ? source.target : null,
    sso_connector_id: 'ssoConnectorId' in source ? source.ssoConnectorId : null,
    sealed: vault.seal(JSON.stringify(tokens), purpose(tenant.id, connectorId, identityId)),
    metadata: JSON.stringify(metadataOf(tokens)),
    refreshing_until: null,
    updated_at: now,
  }
  await tx
    .insertInto('token_sets')
    .values({ tenant_id: tenant.id, id: newId(), user_id: userId, created_at: now, ...kept })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'user_id', 'target' in source ? 'target' : 'sso_connector_id']).doUpdateSet(kept),
    )
    .execute()
}

/** Replaces the tokens of a row that was refreshed, unless others have been kept since. */
export const replaceTokens = async (
  { tx, tenant, vault, now }: Unit,
  row: TokenSetRow,
  tokens: TokenSet,
): Promise<void> => {
  const connectorId = row.connector_id ?? row.sso_connector_id ?? ''
  await tx
    .updateTable('token_sets')
    .set({
      sealed: vault.seal(JSON.stringify(tokens), purpose(tenant.id, connectorId, row.identity_id)),
      metadata: JSON.stringify(metadataOf(tokens)),
      refreshing_until: null,
      updated_at: now,
    })
    .where(inTenant(tenant.id))
    .where('id', '=', row.id)
    .where('sealed', '=', row.sealed)
    .execute()
}

/** Deletes what a connector has brought: a social one, or one of enterprise SSO. */
export const deleteTokenSetsOf = async (
  { tx, tenant }: Unit,
  column: 'connector_id' | 'sso_connector_id',
  connectorId: string,
): Promise<void> => {
  await tx.deleteFrom('token_sets').where(inTenant(tenant.id)).where(column, '=', connectorId).execute()
}

/** Deletes one. Throws 404. */
export const deleteTokenSet = operation([], async (unit, id: string): Promise<void> => {
  const { tx, tenant } = unit
  const deleted = await tx
    .deleteFrom('token_sets')
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .returning('user_id')
    .executeTakeFirst()
  if (!deleted) throw notFound('secret', id)
  unit.concerns('user', deleted.user_id)
  unit.note({ secretId: id })
})
