/** The end of an authorization request: the grant is recorded and a code is created for it, once. */

import { ApiError } from '../../kernel/api-error.ts'
import type { Caller } from '../../kernel/caller.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { storedDetails } from '../access/authorization-details.ts'
import type { Client } from '../applications/clients.ts'
import { issueCode } from '../issued/authorization-codes.ts'
import { confirmationOf } from '../issued/confirmation.ts'
import { recordManagedGrant } from '../issued/managed-grants.ts'
import { finishPushedRequest } from '../issued/pushed-requests.ts'
import { recordGrant } from '../sessions/grants.ts'
import type { Session } from '../sessions/sessions.ts'
import { type AuthorizationRequest, finishInteraction, type GrantOfRequest } from './interactions.ts'
import { scopesToConsent } from './requested-claims.ts'

export interface FinishedAuthorization {
  readonly session: Session
  readonly client: Client
  readonly request: AuthorizationRequest
  /** What the user consented to for a third-party application; null for a first-party one. */
  readonly consentedIds: readonly string[] | null
  readonly interactionId?: string | undefined
}

/**
 * The dispatcher, where a sign-in asks it within its transaction what comes next: a code that ends the request commits with
 * the sign-in.
 */
export interface Ending {
  /** Of the audit entry about the code. */
  readonly caller: Caller
  /** Reads nothing. Undefined: something else comes first, which is decided when the browser comes back. */
  readonly decide: (session: Session) => FinishedAuthorization | undefined
}

/** Thrown if another request has already finished the interaction, or the pushed request that several began with. */
export class FinishedElsewhere extends Error {}

/** Whether a request asks the user to sign in anew or more strongly (RFC 9470 section 4), rather than to go on as before. */
const asksForSignIn = ({ prompts, maxAge, acr }: AuthorizationRequest): boolean =>
  prompts.includes('login') || maxAge !== undefined || acr !== undefined

/** The code, and what the audit log says about it. @param granted what it is for */
const codeFor = (
  unit: Unit,
  { session, client, request }: FinishedAuthorization,
  grantId: string,
  granted: Pick<AuthorizationRequest, 'scopes' | 'resources' | 'claims' | 'authorizationDetails'>,
): string => {
  const { scopes, claims, authorizationDetails, dropped, grant } = request
  unit.note({
    ...{ applicationId: client.id, userId: session.userId, grantId, scope: scopes.join(' '), claims, dropped },
    ...(authorizationDetails === undefined ? {} : { authorizationDetails: storedDetails(authorizationDetails) }),
    ...(grant === undefined ? {} : { grantManagementAction: grant.action }),
  })
  return issueCode(unit, session, {
    grantId,
    redirectUri: request.redirectUri,
    scopes: granted.scopes,
    resources: granted.resources,
    nonce: request.nonce,
    codeChallenge: request.codeChallenge,
    confirmation: confirmationOf({ jkt: request.dpopJkt ?? null, x5t: request.certificate ?? null }),
    acr: request.acr,
    claims: granted.claims,
    authorizationDetails: granted.authorizationDetails,
    isManaged: grant !== undefined,
    isStepUp: asksForSignIn(request),
  })
}

/** The same for a grant that the application manages: the code is for all that the grant allows now. */
const finishManaged = async (
  unit: Unit<'Grant.LimitExceeded'>,
  finished: FinishedAuthorization,
  { action, id }: GrantOfRequest,
): Promise<string> => {
  const { session, client, request, consentedIds } = finished
  const { scopes, resources, claims = null, authorizationDetails = null } = request
  const { grantId, content } = await recordManagedGrant(unit, session, client, {
    action,
    grantId: id,
    asked: { scopes, resources, claims, authorizationDetails },
    consentedScopes: consentedIds === null ? scopes : scopesToConsent(request),
    consentedIds,
  })
  const { claims: allClaims, authorizationDetails: allDetails, ...granted } = content
  return codeFor(unit, finished, grantId, {
    ...granted,
    ...(allClaims === null ? {} : { claims: allClaims }),
    ...(allDetails === null ? {} : { authorizationDetails: allDetails }),
  })
}

/**
 * Records what the user authorized and creates the code; returns it. The grant, the code, the end of the interaction and of the
 * pushed request, and Grant.LimitExceeded commit together, or nothing does. Throws FinishedElsewhere, and SessionEnded as recordGrant.
 */
export const authorizationFinished = operation(
  ['Grant.LimitExceeded'],
  async (unit, finished: FinishedAuthorization): Promise<string> => {
    const { session, client, request, consentedIds, interactionId } = finished
    // sent together: the grant is rolled back if the interaction turns out to be gone
    const finishing = Promise.all([
      interactionId === undefined || finishInteraction(unit, interactionId),
      request.pushedId === undefined || finishPushedRequest(unit, request.pushedId),
    ])
    if (request.grant) {
      // before the grant of another request is changed
      if ((await finishing).includes(false)) throw new FinishedElsewhere('another request has finished the interaction')
      return finishManaged(unit, finished, request.grant)
    }
    const granting = recordGrant(unit, session, client, {
      scopes: consentedIds === null ? request.scopes : scopesToConsent(request),
      consentedIds,
      isOfDevice: false,
    })
    unit.send(granting)
    if ((await finishing).includes(false)) throw new FinishedElsewhere('another request has finished the interaction')
    const grantId = await granting
    return codeFor(unit, finished, grantId, request)
  },
)

/** The code that a sign-in ended with. */
export interface Authorized {
  readonly code: string
  readonly userId: string
}

/**
 * Finishes an authorization request in the transaction of its sign-in, with an audit entry of its own. Throws 400
 * `session.not_found` if another request has finished it.
 */
export const finishAtSignIn = async (
  unit: Unit<'Grant.LimitExceeded'>,
  caller: Caller,
  finished: FinishedAuthorization,
): Promise<Authorized> => {
  try {
    const code = await unit.alongside(caller, authorizationFinished, finished)
    return { code, userId: finished.session.userId }
  } catch (error) {
    throw error instanceof FinishedElsewhere ? new ApiError('session.not_found') : error
  }
}
