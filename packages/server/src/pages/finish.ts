/** The end of each page of a sign-in or a registration: submitted, or on to the page for what is still needed. */
import { isDeepStrictEqual } from 'node:util'
import type { FactorType } from '../domain/factors/factors.ts'
import { SESSION_SECONDS } from '../domain/sessions/sessions.ts'
import type { InteractionEvent } from '../domain/sign-in/draft.ts'
import { deviceDays } from '../domain/sign-in/experience.ts'
import { sendFactorCode } from '../domain/sign-in/factor-code-proof.ts'
import type { SignedIn, Submission } from '../domain/sign-in/sign-in.ts'
import { submitInteraction } from '../domain/sign-in/submission.ts'
import { readCookie, withCookies } from '../http/cookies.ts'
import type { Answer } from '../http/exchange.ts'
import { sessionCookies } from '../http/session-cookies.ts'
import { ApiError } from '../kernel/api-error.ts'
import { type PageContext, resume, stepOf, toPage } from './interaction-page.ts'

/** The page for what a sign-in still needs; undefined: no page mends that. */
const pageFor = ({ code, data }: ApiError): Parameters<typeof toPage>[1] | undefined => {
  switch (code) {
    case 'session.mfa.require_mfa_verification':
      return 'second-factor'
    case 'user.missing_profile':
      return isDeepStrictEqual(data?.missingProfile, ['extraProfile']) ? 'extra-profile' : 'complete-profile'
    case 'user.passkey_preferred':
    case 'user.missing_mfa':
    case 'user.suggest_mfa':
    case 'session.mfa.suggest_additional_mfa':
    case 'session.mfa.backup_code_required':
      return 'set-up-factor'
    default:
      return undefined
  }
}

/** Where a code is the first factor that is asked for, it is on its way when the page is shown. */
const sendFirstCode = async (context: PageContext, { data }: ApiError): Promise<void> => {
  const [first] = (data?.availableFactors ?? []) as FactorType[]
  if (first !== 'EmailVerificationCode' && first !== 'PhoneVerificationCode') return
  try {
    await sendFactorCode(stepOf(context, 'SignIn'), first === 'EmailVerificationCode' ? 'email' : 'phone')
  } catch (error) {
    // too many messages, for example: the page has a button, which says what is wrong
    if (!(error instanceof ApiError)) throw error
  }
}

/**
 * To the application, back to the dispatcher with the session, or to the page for what is needed. Throws where there is no
 * such page.
 */
export const afterSignIn = async (context: PageContext, signedIn: SignedIn): Promise<Answer> => {
  const { needed } = signedIn
  const { dispatcher, exchange, experience, interaction } = context
  if (!needed) {
    const cookies = sessionCookies(exchange.tenant, signedIn, SESSION_SECONDS, deviceDays(experience))
    const { authorized } = signedIn
    if (!authorized) return resume(context, cookies)
    return withCookies(await dispatcher.answer(exchange, interaction, authorized), cookies)
  }
  const page = pageFor(needed)
  if (!page) throw needed
  if (page === 'second-factor') await sendFirstCode(context, needed)
  return toPage(context, page)
}

/** The browser in which something is submitted, and what decides whether that ends the authorization request. */
export const submissionOf = async ({
  client,
  dispatcher,
  exchange,
  interaction,
}: PageContext): Promise<Submission> => ({
  interaction,
  previousSecret: readCookie(exchange, 'session'),
  device: readCookie(exchange, 'device'),
  ending: await dispatcher.endingOf(exchange, client, interaction),
})

/** Submits what was proved and entered. Throws as submitInteraction what no page mends. */
export const finish = async (context: PageContext, event: InteractionEvent): Promise<Answer> => {
  const { work } = stepOf(context, event)
  try {
    const session = await submitInteraction(work, await submissionOf(context), context.experience)
    return session === undefined ? resume(context) : afterSignIn(context, session)
  } catch (error) {
    if (!(error instanceof ApiError) || !pageFor(error)) throw error
    return afterSignIn(context, { needed: error })
  }
}
