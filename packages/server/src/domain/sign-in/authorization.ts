/** The end of an authorization request: the grant is recorded and a code made for it, once. */

import { operation } from '../../storage/unit-of-work.ts'
import type { Client } from '../applications/clients.ts'
import { issueCode } from '../issued/authorization-codes.ts'
import { recordGrant } from '../sessions/grants.ts'
import type { Session } from '../sessions/sessions.ts'
import { type AuthorizationRequest, finishInteraction } from './interactions.ts'

export interface FinishedAuthorization {
  readonly session: Session
  readonly client: Client
  readonly request: AuthorizationRequest
  /** What the user agreed to with a third-party application; null for one of the first party. */
  readonly consentedIds: readonly string[] | null
  readonly interactionId?: string | undefined
}

/**
 * Records what the user authorized and makes the code; returns it, or undefined when the interaction was finished by
 * another request already. The grant, the code, the end of the interaction and Grant.LimitExceeded commit together.
 */
export const authorizationFinished = operation(
  ['Grant.LimitExceeded'],
  async (unit, finished: FinishedAuthorization): Promise<string | undefined> => {
    const { session, client, request, consentedIds, interactionId } = finished
    if (interactionId !== undefined && !(await finishInteraction(unit, interactionId))) return undefined
    const grantId = await recordGrant(unit, session, client, request.scopes, consentedIds)
    const { scopes, dropped } = request
    unit.note({ applicationId: client.id, userId: session.userId, grantId, scope: scopes.join(' '), dropped })
    return issueCode(unit, session, {
      grantId,
      redirectUri: request.redirectUri,
      scopes: request.scopes,
      resources: request.resources,
      nonce: request.nonce,
      codeChallenge: request.codeChallenge,
      acr: request.acr,
    })
  },
)
