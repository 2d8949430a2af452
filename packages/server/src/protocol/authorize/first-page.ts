/** The page at which a sign-in starts: what the application and the address that it expects say of it. */
import { domainOfAddress } from '../../domain/credentials/email-domain.ts'
import type { SignInExperience } from '../../domain/sign-in/experience.ts'
import type { AuthorizationRequest } from '../../domain/sign-in/interactions.ts'

/** Where sign-in starts, if the application says so: `first_screen` and its former name. */
const FIRST_SCREENS: ReadonlyMap<string, string> = new Map([
  ['register', '/register'],
  ['identifier:register', '/register'],
  ['signUp', '/register'],
  ['reset_password', '/forgot-password'],
])

/** `prompt=create` goes before what is no standard (Initiating User Registration via OpenID Connect 1.0 section 3). */
const screenOf = ({ prompts, firstScreen }: AuthorizationRequest): string =>
  prompts.includes('create') ? '/register' : (FIRST_SCREENS.get(firstScreen ?? '') ?? '/sign-in')

/** Whether a provider may come before any page: the application names it, or the expected address is one of a company. */
const leadsStraight = ({ ssoDomains }: SignInExperience, { directSignIn, loginHint }: AuthorizationRequest): boolean =>
  directSignIn !== undefined || (loginHint !== undefined && ssoDomains.has(domainOfAddress(loginHint) ?? ''))

/**
 * The path of the page, without the interaction. @param isNew whether the user has not been asked for anything: once back from a
 * provider that failed, they have to be able to sign in otherwise
 */
export const firstPage = (experience: SignInExperience, request: AuthorizationRequest, isNew: boolean): string =>
  isNew && leadsStraight(experience, request) ? '/direct' : screenOf(request)
