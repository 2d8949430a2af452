/**
 * The dispatcher at the end of a sign-in: the same decision as when the browser comes back to `/oidc/auth/:id`, made in the
 * transaction of the sign-in, so that the page's answer leads to the application (docs/decisions/0024).
 */
import { requestedConsent } from '../../domain/access/requested-consent.ts'
import type { Client } from '../../domain/applications/clients.ts'
import { uncountInteraction } from '../../domain/credentials/address-failures.ts'
import type { Session } from '../../domain/sessions/sessions.ts'
import type { Authorized, Ending, FinishedAuthorization } from '../../domain/sign-in/authorization.ts'
import type { Interaction } from '../../domain/sign-in/interactions.ts'
import { callerOf } from '../../http/caller-of.ts'
import { withCookies } from '../../http/cookies.ts'
import type { Answer, Exchange } from '../../http/exchange.ts'
import { rememberAccount } from '../../http/remembered-accounts.ts'
import type { Store } from '../../storage/store.ts'
import { AuthorizationError } from './authorization-error.ts'
import { callerFor } from './endpoint.ts'
import { type NextStep, nextStep } from './next-step.ts'
import { codeResponse } from './response.ts'

/** After a sign-in in the interaction itself: whom a hint or a link names no longer matters. */
const stepAfter = (session: Session, { request, state }: Interaction): NextStep | undefined => {
  try {
    return nextStep({
      request,
      session,
      state: { ...state, signedInSession: session.id, consented: undefined },
      requestedIds: undefined,
      granted: undefined,
      isAdmitted: true,
      isHintForAnother: false,
      hasToken: false,
      hasRemembered: false,
      now: session.authenticatedAt,
    })
  } catch (error) {
    if (error instanceof AuthorizationError) return undefined
    throw error
  }
}

/**
 * Decides where nothing has to be read of the user: devices, third-party applications and those that are not open to every
 * user are decided when the browser comes back, and so is every error. A response by form_post is a page, which must not be
 * the answer to a password: reloading it would send the password again.
 */
const endingOf = async (
  store: Store,
  exchange: Exchange,
  client: Client,
  interaction: Interaction,
): Promise<Ending | undefined> => {
  const { id: interactionId, request } = interaction
  if (
    request.device ||
    request.backchannel ||
    request.accountPage !== undefined ||
    request.responseMode.startsWith('form_post') ||
    request.grant ||
    client.hasAccessControl
  )
    return undefined
  if (await requestedConsent(store, exchange.tenant, client, request)) return undefined
  return {
    caller: callerFor(exchange, 'Interaction.Authorize', client),
    decide(session): FinishedAuthorization | undefined {
      const next = stepAfter(session, interaction)
      return next?.step === 'finish' ? { session, client, request, consentedIds: null, interactionId } : undefined
    },
  }
}

const answer = async (
  store: Store,
  exchange: Exchange,
  { request }: Interaction,
  { code, userId }: Authorized,
): Promise<Answer> => {
  uncountInteraction({ store, tenant: exchange.tenant, caller: callerOf(exchange, 'Interaction.Authorize') })
  return withCookies(await codeResponse(store, exchange, request, code), rememberAccount(store, exchange, userId))
}

/** For the pages, which end a sign-in with it. */
export const atSignIn = (store: Store) => ({
  endingOf: (exchange: Exchange, client: Client, interaction: Interaction): Promise<Ending | undefined> =>
    endingOf(store, exchange, client, interaction),
  answer: (exchange: Exchange, interaction: Interaction, authorized: Authorized): Promise<Answer> =>
    answer(store, exchange, interaction, authorized),
})
