/**
 * The end of a backchannel authentication request in the browser of its user: the grant is recorded, or refused, and
 * the application learns it at its next poll, or is told to ask (OpenID CIBA sections 8 and 10).
 */
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { grantedScopeIds } from '../access/access.ts'
import { storedDetails } from '../access/authorization-details.ts'
import type { Client } from '../applications/clients.ts'
import { answerBackchannel, type BackchannelRow, lockUnansweredRequest } from '../issued/backchannel-requests.ts'
import { recordGrant } from '../sessions/grants.ts'
import type { Session } from '../sessions/sessions.ts'
import { tellOfAnswer } from './backchannel-ping.ts'
import { type AuthorizationRequest, finishInteraction } from './interactions.ts'

export interface AnsweredRequest {
  readonly client: Client
  readonly request: AuthorizationRequest
  readonly interactionId: string
}

/** Removes the interaction and locks the request; undefined if either is already gone. */
const take = async (unit: Unit, { request, interactionId }: AnsweredRequest): Promise<BackchannelRow | undefined> => {
  if (!request.backchannel || !(await finishInteraction(unit, interactionId))) return undefined
  return lockUnansweredRequest(unit, Buffer.from(request.backchannel.hash, 'hex'))
}

/**
 * Records what the user allows the application. The grant, the answer, the end of the interaction and
 * Grant.LimitExceeded commit together. False: the request was answered in another window, has expired, or is about
 * another user than that of the session.
 * @param consentedIds what the user consented to for a third-party application; null for a first-party one
 */
export const backchannelAllowed = operation(
  ['Grant.LimitExceeded'],
  async (
    unit,
    session: Session,
    answered: AnsweredRequest,
    consentedIds: readonly string[] | null,
  ): Promise<boolean> => {
    const row = await take(unit, answered)
    if (!row || row.user_id !== session.userId) return false
    const { client, request } = answered
    const grantId = await recordGrant(unit, session, client, { scopes: request.scopes, consentedIds, isOfDevice: true })
    await answerBackchannel(unit, row, {
      grant_id: grantId,
      authenticated_at: session.authenticatedAt,
      amr: [...session.amr],
      granted_scope_ids: grantedScopeIds(unit.tenant, session.userId, row.scopes, row.resources),
    })
    tellOfAnswer(unit, row)
    const { scopes, authorizationDetails } = request
    unit.note({
      ...{ applicationId: client.id, userId: session.userId, grantId, scope: scopes.join(' ') },
      ...(authorizationDetails === undefined ? {} : { authorizationDetails: storedDetails(authorizationDetails) }),
    })
    return true
  },
)

/** Records that the user refused. False as above, whoever refuses: only they have the link. */
export const backchannelDenied = operation([], async (unit, answered: AnsweredRequest): Promise<boolean> => {
  const row = await take(unit, answered)
  if (!row) return false
  await answerBackchannel(unit, row, { denied_at: unit.now })
  tellOfAnswer(unit, row)
  unit.note({ applicationId: answered.client.id })
  return true
})
