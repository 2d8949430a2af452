/**
 * The Experience API: sign-in and registration as JSON for pages of one's own, over the operations that the hosted pages
 * use. It ends with a redirect to `/oidc/auth/:id`, where the dispatcher decides what is next.
 *
 * This file finds the interaction that a call concerns.
 */
import { summaryOf } from '../domain/applications/clients.ts'
import { clientOfRequest } from '../domain/sign-in/account-pages-sign-in.ts'
import type { Step } from '../domain/sign-in/draft-profile.ts'
import { experienceAt } from '../domain/sign-in/experience.ts'
import { findInteraction, type Interaction } from '../domain/sign-in/interactions.ts'
import type { Call } from '../http/api.ts'
import { readCookie } from '../http/cookies.ts'
import { parseParameters } from '../http/parameters.ts'
import { ApiError } from '../kernel/api-error.ts'
import { chooseLanguage } from '../languages/choice.ts'

/** A page with several tabs says which it means; otherwise it is the browser's latest. */
const NAME = 'interaction-id'

const nameOf = ({ exchange }: Pick<Call, 'exchange'>): string | undefined => {
  const named = [...exchange.headerValues(NAME), ...(parseParameters(exchange.queryText).get(NAME) ?? [])]
  if (new Set(named).size > 1)
    throw new ApiError('guard.invalid_input', { reason: `${NAME} names more than one interaction` })
  return named[0] ?? readCookie(exchange, 'interaction')
}

/** The interaction of this browser that the call concerns. Throws 400 `session.not_found`. */
export const interactionOf = async (call: Pick<Call, 'store' | 'tenant' | 'exchange'>): Promise<Interaction> => {
  const { store, tenant, exchange } = call
  const interaction = await findInteraction(store, tenant, nameOf(call) ?? '', readCookie(exchange, 'browser'))
  if (!interaction) throw new ApiError('session.not_found')
  return interaction
}

/** What the steps of the domain want to know, and the interaction. */
export const stepOf = async (call: Call): Promise<Step & { readonly interaction: Interaction }> => {
  const { store, tenant } = call
  const interaction = await interactionOf(call)
  const { id: sessionId, request, state } = interaction
  const { clientId: applicationId } = request
  const client = await clientOfRequest(store, tenant, request)
  const caller = {
    ...call.caller,
    ...(client ? { application: summaryOf(client) } : {}),
    interaction: {
      sessionId,
      applicationId,
      ...(state.draft ? { interactionEvent: state.draft.interactionEvent } : {}),
    },
  }
  const experience = await experienceAt(store, tenant, applicationId)
  const [acceptLanguage] = call.exchange.headerValues('accept-language')
  const language = chooseLanguage(request.uiLocales, acceptLanguage, experience)
  const isHuman = state.draft?.isHuman === true
  return { work: { store, tenant, caller }, interactionId: sessionId, interaction, experience, language, isHuman }
}
