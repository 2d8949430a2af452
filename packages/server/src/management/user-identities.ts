/** `/users/:userId/identities`: the accounts that users have at social providers. */
import { userIdentityRoutes } from '@countersign/contract/user-identities.ts'
import { getConnector, providerOfConnector } from '../domain/delivery/connectors.ts'
import { findTokenSet } from '../domain/federation/token-sets.ts'
import { endVisit } from '../domain/federation/visits.ts'
import {
  deleteIdentity,
  type Identities,
  identitiesOf,
  identityAt,
  linkIdentity,
  putIdentity,
} from '../domain/users/identities.ts'
import { getUser } from '../domain/users/rows.ts'
import { bind } from '../http/api.ts'
import { ApiError } from '../kernel/api-error.ts'
import { toSocialTokenSecret } from './provider-tokens.ts'
import { shownIdentity } from './user-sso-identities.ts'
import { toUser } from './users.ts'

const shown = (identities: Identities) =>
  Object.fromEntries(Object.entries(identities).map(([target, each]) => [target, shownIdentity(each)]))

export const userIdentityHandlers = bind(userIdentityRoutes, {
  async getUserIdentity({ params, query }, { store, tenant }) {
    const { userId, target } = params
    const identity = identityAt(await getUser(store, tenant, userId), target)
    if (!identity) throw new ApiError('user.identity_not_exist')
    const isWanted = query.includeTokenSecret === 'true'
    const kept = isWanted ? await findTokenSet(store.database.kysely, tenant.id, userId, { target }) : undefined
    return { identity: shownIdentity(identity), ...(kept ? { tokenSecret: toSocialTokenSecret(kept) } : {}) }
  },
  async putUserIdentity({ params, body }, { perform, reply }) {
    const { row, isNew } = await perform(putIdentity, params.userId, params.target, body)
    if (isNew) reply.useOtherStatus()
    return shown(identitiesOf(row))
  },
  async deleteUserIdentity({ params }, { perform }) {
    return toUser(await perform(deleteIdentity, params.userId, params.target))
  },
  async addUserIdentity({ params, body }, call) {
    const { store, tenant } = call
    await getUser(store, tenant, params.userId)
    const connector = providerOfConnector(await getConnector(store, tenant, body.connectorId))
    const { id: connectorId, provider } = connector
    const visited = await endVisit(call, provider, { connectorId }, body.connectorData)
    return shown(identitiesOf(await call.perform(linkIdentity, params.userId, connector, visited)))
  },
})
