/**
 * What an authorization request needs next: a pure function of the request, the session and what happened in the
 * interaction. The only place that decides it; pages return here and never to one another (hub and spoke), or ask it within
 * the transaction of a sign-in (at-sign-in.ts).
 */
import type { Granted } from '../../domain/sessions/grants.ts'
import type { Session } from '../../domain/sessions/sessions.ts'
import { demandOf, satisfies } from '../../domain/sign-in/acr.ts'
import type { AuthorizationRequest, InteractionState } from '../../domain/sign-in/interactions.ts'
import { scopesToConsent } from '../../domain/sign-in/requested-claims.ts'
import { AuthorizationError } from './authorization-error.ts'

export type NextStep =
  | { readonly step: 'sign-in' | 'one-time-token' | 'select-account' | 'consent' | 'device' | 'backchannel' }
  | { readonly step: 'finish'; readonly session: Session }

export interface Circumstances {
  readonly request: AuthorizationRequest
  readonly session: Session | undefined
  readonly state: InteractionState
  /** Ids of the APIs and permissions that a third-party application asks for; undefined for a first-party one. */
  readonly requestedIds: readonly string[] | undefined
  /** What the session has granted the application before. */
  readonly granted: Granted | undefined
  /** Whether the user of the session may use the application. */
  readonly isAdmitted: boolean
  /** Whether login_hint names someone other than the user of the session. */
  readonly isHintForAnother: boolean
  /** Whether the page for the link that began the request comes next. */
  readonly hasToken: boolean
  /** Whether accounts have signed in with this browser before. */
  readonly hasRemembered: boolean
  readonly now: Date
}

/** A sign-in in another session than the current one, for example one whose cookie was swapped in, proves nothing. */
const signedInDuringInteraction = ({ state, session }: Circumstances): boolean =>
  session !== undefined && session.id === state.signedInSession

/** Why the current session is not sufficient, or undefined when it is (OpenID Connect Core section 3.1.2.1). */
const needsSignIn = (circumstances: Circumstances): string | undefined => {
  const { request, session, state, hasToken, now } = circumstances
  if (!session) return 'there is no session'
  if (request.hintedUserId !== undefined && request.hintedUserId !== session.userId)
    return 'the session belongs to another user'
  if (signedInDuringInteraction(circumstances)) return undefined
  if (hasToken) return 'a link was opened'
  const { chosenAccount } = state
  const isChosen = chosenAccount !== 'another' && chosenAccount?.userId === session.userId
  if (chosenAccount !== undefined && !isChosen) return 'another account was chosen'
  if (request.prompts.includes('login')) return 'a new sign-in was asked for'
  if (request.prompts.includes('create')) return 'a new account was asked for'
  if (!satisfies(session.amr, demandOf(request.acr))) return 'a stronger sign-in was asked for'
  const age = (now.getTime() - session.authenticatedAt.getTime()) / 1000
  if (request.maxAge !== undefined && age > request.maxAge) return 'the session is older than max_age'
  return undefined
}

/**
 * Whether the user has to choose an account: if the application asks for it, or if login_hint means
 * someone else. An id_token_hint leaves no choice: it names the only acceptable user, who has to sign in.
 */
const needsChoice = (circumstances: Circumstances): boolean => {
  const { request, session, state, isHintForAnother, hasRemembered, hasToken } = circumstances
  // the link says who is meant; an account that does not exist yet cannot be chosen
  if (hasToken || request.prompts.includes('create')) return false
  if (signedInDuringInteraction(circumstances) || state.chosenAccount !== undefined) return false
  if (request.hintedUserId !== undefined && request.hintedUserId !== session?.userId) return false
  if (!session && !hasRemembered) return false
  return request.prompts.includes('select_account') || isHintForAnother
}

const isSubset = (wanted: readonly string[], known: readonly string[] = []): boolean => {
  const set = new Set(known)
  return wanted.every((each) => set.has(each))
}

/** Whether the user of the current session has just been asked for all of this and agreed. */
const hasConsented = ({ state: { consented }, session, requestedIds = [] }: Circumstances): boolean =>
  consented !== undefined && consented.sessionId === session?.id && isSubset(requestedIds, consented.ids)

/**
 * First-party applications need no consent; third-party ones need it for every OpenID Connect scope, API and permission
 * that was not agreed to before (DECISIONS F4). A device always does, no matter who made it: only the user can tell
 * whether it is theirs (RFC 8628 section 5.4); and so does a request that came without a browser (OpenID CIBA section 8).
 */
const neededConsent = (circumstances: Circumstances): 'consent' | 'device' | 'backchannel' | undefined => {
  const { request, requestedIds, granted } = circumstances
  if (hasConsented(circumstances)) return undefined
  if (request.device) return 'device'
  if (request.backchannel) return 'backchannel'
  // of any application, and each time: a user approves this transaction and no other (RFC 9396 section 4)
  if (request.authorizationDetails !== undefined) return 'consent'
  // anybody can send a browser here: what was allowed before changes only by the hand of its user
  if (request.grant?.id !== undefined) return 'consent'
  if (requestedIds === undefined) return undefined
  const isGranted = isSubset(scopesToConsent(request), granted?.scopes) && isSubset(requestedIds, granted?.consentedIds)
  return request.prompts.includes('consent') || !isGranted ? 'consent' : undefined
}

/**
 * Throws AuthorizationError if prompt=none forbids the step, or if the user has refused or may not use the application.
 */
export const nextStep = (circumstances: Circumstances): NextStep => {
  const { request, session, state, hasToken } = circumstances
  const silent = request.prompts.includes('none')
  if (state.denied) throw new AuthorizationError('access_denied', 'the user did not agree')
  const signedInAsAnother =
    session &&
    signedInDuringInteraction(circumstances) &&
    request.hintedUserId !== undefined &&
    request.hintedUserId !== session.userId
  const isGrantOfAnother = session && request.grant?.userId !== undefined && request.grant.userId !== session.userId
  if (isGrantOfAnother && (signedInAsAnother || silent))
    throw new AuthorizationError('access_denied', 'the grant is that of another user')
  if (signedInAsAnother)
    throw new AuthorizationError('login_required', 'another user signed in than the one that was asked for')
  // the account has no factor that would do, and the tenant lets none be set up (RFC 9470 section 4)
  if (session && signedInDuringInteraction(circumstances) && !satisfies(session.amr, demandOf(request.acr)))
    throw new AuthorizationError('unmet_authentication_requirements', 'the sign-in is weaker than acr_values demand')
  // login_hint is a hint (OpenID Connect Core section 3.1.2.1): where no one can be asked, the session is what counts
  if (!silent && needsChoice(circumstances)) return { step: 'select-account' }
  const reason = needsSignIn(circumstances)
  if (reason !== undefined || !session) {
    if (silent) throw new AuthorizationError('login_required', reason ?? 'there is no session')
    return { step: hasToken ? 'one-time-token' : 'sign-in' }
  }
  if (!circumstances.isAdmitted) throw new AuthorizationError('access_denied', 'the user may not use this application')
  const consent = neededConsent(circumstances)
  if (consent !== undefined) {
    if (silent) throw new AuthorizationError('consent_required', 'the user has not consented to this application')
    return { step: consent }
  }
  return { step: 'finish', session }
}
