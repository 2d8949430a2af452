/** `/secrets`: what is kept of the tokens that providers issue for users. */
import { providerTokenRoutes } from '@countersign/contract/provider-tokens.ts'
import { deleteTokenSet, type TokenSetRow } from '../domain/federation/token-sets.ts'
import { bind } from '../http/api.ts'

/** What is kept of the tokens that a social connector has brought, without the tokens. */
export const toSocialTokenSecret = (row: TokenSetRow) => ({
  id: row.id,
  userId: row.user_id,
  type: 'federated_token_set' as const,
  metadata: row.metadata,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
  connectorId: row.connector_id ?? '',
  identityId: row.identity_id,
  target: row.target ?? '',
})

export const providerTokenHandlers = bind(providerTokenRoutes, {
  async deleteSecret({ params }, { perform }) {
    await perform(deleteTokenSet, params.id)
  },
})
