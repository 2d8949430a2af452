/** `/secrets`: what is kept of the tokens that providers issue for users. */
import { providerTokenRoutes } from '@countersign/contract/provider-tokens.ts'
import { deleteTokenSet, type TokenSetRow } from '../domain/federation/token-sets.ts'
import { bind } from '../http/api.ts'

const toTokenSecret = (row: TokenSetRow) => ({
  id: row.id,
  userId: row.user_id,
  type: 'federated_token_set' as const,
  metadata: row.metadata,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
  identityId: row.identity_id,
})

/** What is kept of the tokens that a social connector has brought, without the tokens. */
export const toSocialTokenSecret = (row: TokenSetRow) => ({
  ...toTokenSecret(row),
  connectorId: row.connector_id ?? '',
  target: row.target ?? '',
})

/** The same for an SSO connector. @param issuer that of the account */
export const toSsoTokenSecret = (row: TokenSetRow, issuer: string) => ({
  ...toTokenSecret(row),
  ssoConnectorId: row.sso_connector_id ?? '',
  issuer,
})

export const providerTokenHandlers = bind(providerTokenRoutes, {
  async deleteSecret({ params }, { perform }) {
    await perform(deleteTokenSet, params.id)
  },
})
