/** The access token of a receiver of Shared Signals for this server's own API: by client credentials, whatever the type of the application (DECISIONS K11). */
import { TOKEN_REASONS } from '@countersign/contract/token-reasons.ts'
import { receiverOf } from '../../domain/signals/rows.ts'
import type { MachineAuthorization } from '../../tokens/authorization.ts'
import { single } from '../endpoint.ts'
import { requestedResource } from '../resource-indicator.ts'
import { droppedFor, parseScope } from '../scope.ts'
import { SIGNAL_SCOPES, signalsResource } from '../signals/receiver.ts'
import type { GrantRequest } from './grant.ts'

const SCOPES: ReadonlySet<string> = new Set(SIGNAL_SCOPES)
const SECONDS = 3600

/**
 * Undefined unless a receiver asks for it: by `resource`, or by its scopes alone, as receivers that know no resource indicators do.
 * Throws OAuthError for a malformed scope or several resources.
 */
export const receiverAuthorization = ({
  tenant,
  client,
  parameters,
}: GrantRequest): MachineAuthorization | undefined => {
  if (!receiverOf(client)) return undefined
  const indicator = signalsResource(tenant)
  const requested = parseScope(single(parameters, 'scope'))
  const named = requestedResource(parameters)
  const isMeant = named === undefined ? requested.some((scope) => SCOPES.has(scope)) : named === indicator
  if (!isMeant) return undefined
  return {
    kind: 'machine',
    client,
    resource: { indicator, accessTokenTtl: SECONDS, senderConstraint: 'none', dpopNonceRequired: false },
    scopes: requested.filter((scope) => SCOPES.has(scope)),
    dropped: droppedFor(
      TOKEN_REASONS.not_of_signals,
      requested.filter((scope) => !SCOPES.has(scope)),
    ),
    why: TOKEN_REASONS.jwt_signals,
  }
}
