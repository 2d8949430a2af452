/** The accounts that users have at the identity providers of companies: at most one at each SSO connector. */
import { type Selectable, sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import type { EnterpriseAccount } from '../federation/provider.ts'
import { tellOwner } from './owner-notices.ts'
import { lockUser, type UserRow, userEntity } from './rows.ts'

export type SsoIdentityRow = Selectable<Tables['user_sso_identities']>

/** An account at the identity provider of a connector. */
export interface SsoAccount {
  readonly connectorId: string
  readonly account: EnterpriseAccount
  /** The organization that the connector belongs to. */
  readonly organizationId?: string
  /** The ID token that the provider issued, where it is kept; sealed for this account, in base64. */
  readonly sealedIdToken?: string
}

/** What an account is found by. */
interface AccountName {
  readonly connectorId: string
  readonly account: Pick<EnterpriseAccount, 'issuer' | 'id'>
}

/** What the id of a connector follows in the subject of a notice; no target of a social connector begins so. */
export const SSO_SUBJECT = 'sso connector '

/** The user who has this account, even if suspended. */
export const findUserBySsoIdentity = (
  db: Db,
  tenantId: string,
  { connectorId, account: { issuer, id } }: AccountName,
): Promise<UserRow | undefined> =>
  db
    .selectFrom('user_sso_identities as i')
    .innerJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'i.tenant_id').onRef('u.id', '=', 'i.user_id'))
    .selectAll('u')
    .where(inTenant(tenantId, 'i'))
    .where('i.connector_id', '=', connectorId)
    .where('i.issuer', '=', issuer)
    .where('i.identity_id', '=', id)
    .executeTakeFirst()

/** The accounts of a user, the oldest first. @param connectorId only the one at this connector */
export const ssoIdentitiesOf = (
  db: Db,
  tenantId: string,
  userId: string,
  connectorId?: string,
): Promise<SsoIdentityRow[]> => {
  const all = db.selectFrom('user_sso_identities').selectAll().where(inTenant(tenantId)).where('user_id', '=', userId)
  const some = connectorId === undefined ? all : all.where('connector_id', '=', connectorId)
  return some.orderBy('created_at').orderBy('id').execute()
}

/** An account as it is shown. */
export const ssoIdentityEntity = (row: SsoIdentityRow) => ({
  tenantId: row.tenant_id,
  id: row.id,
  userId: row.user_id,
  ssoConnectorId: row.connector_id,
  issuer: row.issuer,
  identityId: row.identity_id,
  detail: row.detail,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
})

/** What of an account is kept with the user. */
const detailOf = ({ id, email, name, avatar, rawData }: EnterpriseAccount): string =>
  JSON.stringify({
    id,
    ...(email ? { email } : {}),
    ...(name ? { name } : {}),
    ...(avatar ? { avatar } : {}),
    ...(rawData ? { rawData } : {}),
  })

/**
 * Gives an account to a user. Throws 422 `user.identity_already_in_use` where another user has it,
 * `user.social_account_exists_in_profile` where the user has another at the connector.
 */
export const claimSsoIdentity = async (
  unit: Unit,
  userId: string,
  { connectorId, account }: SsoAccount,
): Promise<void> => {
  const { tx, tenant, now } = unit
  await tx
    .insertInto('user_sso_identities')
    .values({
      tenant_id: tenant.id,
      id: newId(),
      user_id: userId,
      connector_id: connectorId,
      issuer: account.issuer,
      identity_id: account.id,
      detail: detailOf(account),
      created_at: now,
      updated_at: now,
    })
    .execute()
  await tellOwner(unit, userId, 'identityLinked', { subject: `${SSO_SUBJECT}${connectorId}` })
}

/** Keeps what the identity provider says now, if it is something else than before. */
export const refreshSsoIdentity = async (
  { tx, tenant, now }: Unit,
  { connectorId, account }: SsoAccount,
): Promise<void> => {
  const detail = detailOf(account)
  await tx
    .updateTable('user_sso_identities')
    .set({ detail, updated_at: now })
    .where(inTenant(tenant.id))
    .where('connector_id', '=', connectorId)
    .where('issuer', '=', account.issuer)
    .where('identity_id', '=', account.id)
    .where(sql<boolean>`detail <> ${detail}::jsonb`)
    .execute()
}

/** Takes it away: the user cannot sign in with it any more. Throws 404 `user.identity_not_exist`. */
export const deleteSsoIdentity = operation(
  ['User.Data.Updated'],
  async (unit, userId: string, connectorId: string): Promise<void> => {
    const { tx, tenant } = unit
    const user = await lockUser(unit, userId)
    const deleted = await tx
      .deleteFrom('user_sso_identities')
      .where(inTenant(tenant.id))
      .where('user_id', '=', userId)
      .where('connector_id', '=', connectorId)
      .returning('id')
      .execute()
    if (deleted.length === 0) throw new ApiError('user.identity_not_exist')
    await tellOwner(unit, userId, 'identityUnlinked')
    unit.concerns('user', userId)
    unit.emit('User.Data.Updated', { data: userEntity(user) })
  },
)
