/**
 * The end of a device's request in the browser: the grant is recorded, or refused, and the device learns it at its next
 * poll.
 */
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { grantedScopeIds } from '../access/access.ts'
import { storedDetails } from '../access/authorization-details.ts'
import type { Client } from '../applications/clients.ts'
import { answerDevice, lockUnanswered } from '../issued/device-codes.ts'
import { recordGrant } from '../sessions/grants.ts'
import type { Session } from '../sessions/sessions.ts'
import { type AuthorizationRequest, finishInteraction } from './interactions.ts'

export interface AnsweredDevice {
  readonly client: Client
  readonly request: AuthorizationRequest
  readonly interactionId: string
}

/** Removes the interaction and the request together; undefined if either is already gone. */
const take = async (unit: Unit, { request, interactionId }: AnsweredDevice) => {
  if (!request.device || !(await finishInteraction(unit, interactionId))) return undefined
  return lockUnanswered(unit, Buffer.from(request.device.hash, 'hex'))
}

/**
 * Records what the user allows the device. The grant, the answer, the end of the interaction and Grant.LimitExceeded
 * commit together. False: the code was answered in another window, or has
 * expired. @param consentedIds what the user consented to for a third-party application; null for a first-party one
 */
export const deviceAllowed = operation(
  ['Grant.LimitExceeded'],
  async (
    unit,
    session: Session,
    answered: AnsweredDevice,
    consentedIds: readonly string[] | null,
  ): Promise<boolean> => {
    const row = await take(unit, answered)
    if (!row) return false
    const { client, request } = answered
    const grantId = await recordGrant(unit, session, client, { scopes: request.scopes, consentedIds, isOfDevice: true })
    await answerDevice(unit, row, {
      grant_id: grantId,
      authenticated_at: session.authenticatedAt,
      amr: [...session.amr],
      granted_scope_ids: grantedScopeIds(unit.tenant, session.userId, row.scopes, row.resources),
    })
    const { scopes, authorizationDetails } = request
    unit.note({
      ...{ applicationId: client.id, userId: session.userId, grantId, scope: scopes.join(' ') },
      ...(authorizationDetails === undefined ? {} : { authorizationDetails: storedDetails(authorizationDetails) }),
    })
    return true
  },
)

/** Records that the user refused. False as above. */
export const deviceDenied = operation([], async (unit, answered: AnsweredDevice): Promise<boolean> => {
  const row = await take(unit, answered)
  if (!row) return false
  await answerDevice(unit, row, { denied_at: unit.now })
  unit.note({ applicationId: answered.client.id })
  return true
})
