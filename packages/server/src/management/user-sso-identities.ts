/** `/users/:userId/sso-identities` and `/users/:userId/all-identities`. */
import { userSsoIdentityRoutes } from '@countersign/contract/user-sso-identities.ts'
import { type Identity, identitiesOf } from '../domain/users/identities.ts'
import { getUser } from '../domain/users/rows.ts'
import { deleteSsoIdentity, type SsoIdentityRow, ssoIdentitiesOf } from '../domain/users/sso-identities.ts'
import { bind } from '../http/api.ts'
import { ApiError } from '../kernel/api-error.ts'

/** An account at a provider, as it is shown. */
export const shownIdentity = ({ userId, details }: Identity) => ({
  userId,
  ...(details ? { details: { ...details } } : {}),
})

/** The same at the identity provider of a company. */
export const toSsoIdentity = (row: SsoIdentityRow) => ({
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

export const userSsoIdentityHandlers = bind(userSsoIdentityRoutes, {
  async getUserSsoIdentity({ params }, { store, tenant }) {
    const { id } = await getUser(store, tenant, params.userId)
    const [row] = await ssoIdentitiesOf(store.database.kysely, tenant.id, id, params.ssoConnectorId)
    if (!row) throw new ApiError('user.identity_not_exist')
    return { ssoIdentity: toSsoIdentity(row) }
  },
  async deleteUserSsoIdentity({ params }, { perform }) {
    await perform(deleteSsoIdentity, params.userId, params.ssoConnectorId)
  },
  async listUserIdentities({ params }, { store, tenant }) {
    const user = await getUser(store, tenant, params.userId)
    const rows = await ssoIdentitiesOf(store.database.kysely, tenant.id, user.id)
    return {
      socialIdentities: Object.entries(identitiesOf(user)).map(([target, each]) => ({
        target,
        identity: shownIdentity(each),
      })),
      ssoIdentities: rows.map((row) => ({ ssoConnectorId: row.connector_id, ssoIdentity: toSsoIdentity(row) })),
    }
  },
})
