/** The end of each page of a sign-in or a registration: submitted, or on to the page for what is still needed. */
import { SESSION_SECONDS } from '../domain/sessions/sessions.ts'
import type { InteractionEvent } from '../domain/sign-in/draft.ts'
import type { SignedIn } from '../domain/sign-in/sign-in.ts'
import { submitInteraction } from '../domain/sign-in/submission.ts'
import { readCookie, writeCookie } from '../http/cookies.ts'
import type { Answer } from '../http/exchange.ts'
import { ApiError } from '../kernel/api-error.ts'
import { type PageContext, resume, stepOf, toPage } from './interaction-page.ts'

/** The page for what a sign-in still needs; undefined: no page mends that. */
const pageFor = ({ code }: ApiError): Parameters<typeof toPage>[1] | undefined => {
  switch (code) {
    case 'session.mfa.require_mfa_verification':
      return 'second-factor'
    case 'user.missing_profile':
      return 'complete-profile'
    case 'user.missing_mfa':
    case 'user.suggest_mfa':
    case 'session.mfa.suggest_additional_mfa':
    case 'session.mfa.backup_code_required':
      return 'set-up-factor'
    default:
      return undefined
  }
}

/** Back to the dispatcher with the session, or to the page for what is needed. Throws where there is no such page. */
export const afterSignIn = (context: PageContext, { secret, needed }: SignedIn): Answer => {
  if (!needed) return resume(context, [writeCookie(context.exchange.tenant, 'session', secret, SESSION_SECONDS)])
  const page = pageFor(needed)
  if (!page) throw needed
  return toPage(context, page)
}

/** Submits what was proved and entered. Throws as submitInteraction what no page mends. */
export const finish = async (context: PageContext, event: InteractionEvent): Promise<Answer> => {
  const { exchange, interaction, experience } = context
  const submission = { interaction, previousSecret: readCookie(exchange, 'session') }
  try {
    const secret = await submitInteraction(stepOf(context, event).work, submission, experience)
    return secret === undefined ? resume(context) : afterSignIn(context, { secret })
  } catch (error) {
    if (!(error instanceof ApiError) || !pageFor(error)) throw error
    return afterSignIn(context, { needed: error })
  }
}
