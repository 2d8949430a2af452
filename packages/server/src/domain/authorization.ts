/** The end of an authorization request: the grant is recorded and a code made for it, once. */

import { operation } from '../storage/unit-of-work.ts'
import { issueCode } from './authorization-codes.ts'
import type { Client } from './clients.ts'
import { recordGrant } from './grants.ts'
import { type AuthorizationRequest, finishInteraction } from './interactions.ts'
import type { Session } from './sessions.ts'

export interface FinishedAuthorization {
  readonly session: Session
  readonly client: Client
  readonly request: AuthorizationRequest
  readonly interactionId?: string | undefined
}

/**
 * Records what the user authorized and makes the code; returns it, or undefined when the interaction was finished by
 * another request already. The grant, the code, the end of the interaction and Grant.LimitExceeded commit together.
 */
export const authorizationFinished = operation(
  ['Grant.LimitExceeded'],
  async (unit, { session, client, request, interactionId }: FinishedAuthorization): Promise<string | undefined> => {
    if (interactionId !== undefined && !(await finishInteraction(unit, interactionId))) return undefined
    const grantId = await recordGrant(unit, session, client, request.scopes)
    unit.note({ applicationId: client.id, userId: session.userId, grantId, scope: request.scopes.join(' ') })
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
