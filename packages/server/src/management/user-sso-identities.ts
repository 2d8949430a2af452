/** `/users/:userId/sso-identities` and `/users/:userId/all-identities`. */
import { userSsoIdentityRoutes } from '@countersign/contract/user-sso-identities.ts'
import { findTokenSet, tokenSetsOf } from '../domain/federation/token-sets.ts'
import { type Identity, identitiesOf } from '../domain/users/identities.ts'
import { getUser } from '../domain/users/rows.ts'
import { deleteSsoIdentity, ssoIdentitiesOf, ssoIdentityEntity } from '../domain/users/sso-identities.ts'
import { bind } from '../http/api.ts'
import { ApiError } from '../kernel/api-error.ts'
import { toSocialTokenSecret, toSsoTokenSecret } from './provider-tokens.ts'

/** An account at a provider, as it is shown. */
export const shownIdentity = ({ userId, details }: Identity) => ({
  userId,
  ...(details ? { details: { ...details } } : {}),
})

export const userSsoIdentityHandlers = bind(userSsoIdentityRoutes, {
  async getUserSsoIdentity({ params: { userId, ssoConnectorId }, query }, { store, tenant }) {
    const { id } = await getUser(store, tenant, userId)
    const [row] = await ssoIdentitiesOf(store.database.kysely, tenant.id, id, ssoConnectorId)
    if (!row) throw new ApiError('user.identity_not_exist')
    const isWanted = query.includeTokenSecret === 'true'
    const kept = isWanted ? await findTokenSet(store.database.kysely, tenant.id, id, { ssoConnectorId }) : undefined
    return { ssoIdentity: ssoIdentityEntity(row), ...(kept ? { tokenSecret: toSsoTokenSecret(kept, row.issuer) } : {}) }
  },
  async deleteUserSsoIdentity({ params }, { perform }) {
    await perform(deleteSsoIdentity, params.userId, params.ssoConnectorId)
  },
  async listUserIdentities({ params, query }, { store, tenant }) {
    const user = await getUser(store, tenant, params.userId)
    const db = store.database.kysely
    const rows = await ssoIdentitiesOf(db, tenant.id, user.id)
    const kept = query.includeTokenSecret === 'true' ? await tokenSetsOf(db, tenant.id, user.id) : []
    const ofTarget = (target: string) => kept.filter((each) => each.target === target).map(toSocialTokenSecret)
    const ofConnector = ({ connector_id, issuer }: (typeof rows)[number]) =>
      kept.filter((each) => each.sso_connector_id === connector_id).map((each) => toSsoTokenSecret(each, issuer))
    return {
      socialIdentities: Object.entries(identitiesOf(user)).map(([target, each]) => {
        const [tokenSecret] = ofTarget(target)
        return { target, identity: shownIdentity(each), ...(tokenSecret ? { tokenSecret } : {}) }
      }),
      ssoIdentities: rows.map((row) => {
        const [tokenSecret] = ofConnector(row)
        const ssoIdentity = ssoIdentityEntity(row)
        return { ssoConnectorId: row.connector_id, ssoIdentity, ...(tokenSecret ? { tokenSecret } : {}) }
      }),
    }
  },
})
