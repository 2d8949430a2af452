/**
 * What an authorization request needs next: a pure function of the request, the session and what happened in the
 * interaction. The only place that decides it; pages return here and never to one another (hub and spoke).
 */
import type { Client } from '../../domain/clients.ts'
import type { AuthorizationRequest, InteractionState } from '../../domain/interactions.ts'
import type { Session } from '../../domain/sessions.ts'
import { AuthorizationError } from './authorization-error.ts'

export type NextStep = { readonly step: 'sign-in' | 'consent' } | { readonly step: 'finish'; readonly session: Session }

interface Circumstances {
  readonly request: AuthorizationRequest
  readonly client: Client
  readonly session: Session | undefined
  readonly state: InteractionState
  /** What the session has granted the application before. */
  readonly granted: readonly string[]
  readonly now: Date
}

/** Why the session at hand will not do, or undefined when it will (OpenID Connect Core section 3.1.2.1). */
const needsSignIn = ({ request, session, state, now }: Circumstances): string | undefined => {
  if (!session) return 'there is no session'
  const signedInHere = state.signedInAt !== undefined
  if (request.prompts.includes('login') && !signedInHere) return 'a new sign-in was asked for'
  if (request.prompts.includes('select_account') && !signedInHere) return 'a choice of account was asked for'
  if (request.hintedUserId !== undefined && request.hintedUserId !== session.userId)
    return 'the session is of another user'
  const age = (now.getTime() - session.authenticatedAt.getTime()) / 1000
  if (request.maxAge !== undefined && age > request.maxAge && !signedInHere) return 'the session is older than max_age'
  return undefined
}

/** First-party applications need no consent; third-party ones for every scope that was not agreed to (DECISIONS F4). */
const needsConsent = ({ request, client, state, granted }: Circumstances): boolean => {
  if (!client.isThirdParty) return false
  if (state.consented) return false
  return request.prompts.includes('consent') || request.scopes.some((scope) => !granted.includes(scope))
}

/** Throws AuthorizationError where prompt=none forbids what would be needed, and when the user has refused. */
export const nextStep = (circumstances: Circumstances): NextStep => {
  const { request, session, state } = circumstances
  const silent = request.prompts.includes('none')
  if (state.denied) throw new AuthorizationError('access_denied', 'the user did not agree')
  const signedInAsAnother =
    session &&
    state.signedInAt !== undefined &&
    request.hintedUserId !== undefined &&
    request.hintedUserId !== session.userId
  if (signedInAsAnother)
    throw new AuthorizationError('login_required', 'another user signed in than the one that was asked for')
  const reason = needsSignIn(circumstances)
  if (reason !== undefined || !session) {
    if (silent) throw new AuthorizationError('login_required', reason ?? 'there is no session')
    return { step: 'sign-in' }
  }
  if (needsConsent(circumstances)) {
    if (silent) throw new AuthorizationError('consent_required', 'the user has not agreed to this application')
    return { step: 'consent' }
  }
  return { step: 'finish', session }
}
