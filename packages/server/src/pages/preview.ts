/**
 * The pages as they would be with other settings, for those who set them. The forms are those of an interaction that does not
 * exist, without a token, and nothing is read of or written to a browser: what is shown can be looked at, and leads nowhere.
 */

import type { PREVIEWED_PAGES } from '@countersign/contract/page-preview.ts'
import { html } from '@remix-run/html-template'
import { sessionHolder } from '../domain/account/holder.ts'
import type { Client } from '../domain/applications/clients.ts'
import { accountCenter } from '../domain/sign-in/account-center.ts'
import type { SignInExperience } from '../domain/sign-in/experience.ts'
import type { OrganizationLook } from '../domain/sign-in/organization-look.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import { stillPage } from '../http/still-page.ts'
import { ApiError } from '../kernel/api-error.ts'
import { chooseLanguage } from '../languages/choice.ts'
import { languageNamed } from '../presentation/language.ts'
import type { Store } from '../storage/store.ts'
import { showProfile } from './account/profile.ts'
import { consentForm } from './consent.ts'
import type { Dispatcher } from './dispatcher.ts'
import { extraProfileForm } from './extra-profile.ts'
import { showForgotPassword } from './forgot-password.ts'
import type { PageContext } from './interaction-page.ts'
import {
  everyPart,
  SAMPLE_CLIENT,
  SAMPLE_ID,
  SAMPLE_SESSION,
  SAMPLE_USER,
  sampleCode,
  sampleDraft,
} from './preview-samples.ts'
import { showRegister } from './register.ts'
import { secondFactorForm } from './second-factor.ts'
import { showSignIn } from './sign-in.ts'
import { codeForm } from './sign-in-code.ts'

type PreviewedPage = (typeof PREVIEWED_PAGES)[number]

interface Shown {
  readonly page: PreviewedPage
  /** BCP 47. */
  readonly language: string | undefined
  readonly client: Client | undefined
  /** Of an application that is not there: it stands for the sample's. */
  readonly applicationName: string | undefined
  readonly organization: OrganizationLook | undefined
  readonly experience: SignInExperience
}

/** Without passkeys, which need scripts and would store a challenge. */
const secondFactor = (context: PageContext): Promise<Answer> => {
  const offered = context.experience.mfa.factors.filter((type) => type !== 'WebAuthn')
  const [first = 'Totp'] = offered
  const draft = sampleDraft(first === 'PhoneVerificationCode' ? 'phone' : 'email')
  return secondFactorForm(context, { factors: offered, draft }, first, 200)
}

const code = (context: PageContext): Promise<Answer> => {
  const { methods } = context.experience.signIn
  const byPhone = methods.some(({ identifier, verificationCode }) => identifier === 'phone' && verificationCode)
  const byEmail = methods.some(({ identifier, verificationCode }) => identifier === 'email' && verificationCode)
  return codeForm(context, sampleCode(byPhone && !byEmail ? 'phone' : 'email'), 200)
}

const consent = (context: PageContext): Promise<Answer> =>
  consentForm(context, { asked: { ids: [], formToken: '' }, user: SAMPLE_USER.name ?? '', organizations: html`` }, 200)

/** The profile of a user, with the navigation of all account pages. */
const account = async ({ store, exchange, experience, language }: PageContext): Promise<Answer> => {
  const stored = await accountCenter(store, exchange.tenant)
  return showProfile({
    store,
    exchange,
    rules: { center: stored.enabled ? stored : everyPart(stored), experience },
    language,
    session: SAMPLE_SESSION,
    user: SAMPLE_USER,
    holder: sessionHolder(SAMPLE_SESSION),
    formToken: '',
    query: new Map(),
    cookies: [],
  })
}

/** The registration page where there is nothing that it would be followed by. */
const extraProfile = async (context: PageContext): Promise<Answer> =>
  context.experience.signUpFields.length > 0
    ? extraProfileForm(context, sampleDraft('email'), 200)
    : showRegister(context)

const PAGES: Readonly<Record<PreviewedPage, (context: PageContext) => Promise<Answer>>> = {
  'sign-in': showSignIn,
  register: showRegister,
  'extra-profile': extraProfile,
  code,
  'forgot-password': showForgotPassword,
  'second-factor': secondFactor,
  consent,
  account,
}

/** Shows one of the pages; the sign-in page, or else registration, where the settings leave it out. Throws 400 where they leave none. */
export const previewPage = (store: Store, dispatcher: Dispatcher) => async (exchange: Exchange, shown: Shown) => {
  const { page, language, applicationName: name = SAMPLE_CLIENT.name, organization, experience: proposed } = shown
  const client = shown.client ?? { ...SAMPLE_CLIENT, name }
  const { tenant } = exchange
  // these need scripts, and would store a challenge
  const experience: SignInExperience = {
    ...proposed,
    passkeySignIn: { ...proposed.passkeySignIn, enabled: false },
    captchaPolicy: { ...proposed.captchaPolicy, enabled: false },
  }
  const context: PageContext = {
    store,
    dispatcher,
    exchange: { ...exchange, headers: {}, queryText: '' },
    interaction: {
      id: SAMPLE_ID,
      request: {
        clientId: client.id,
        redirectUri: tenant.baseUrl,
        responseMode: 'query',
        scopes: page === 'consent' ? ['openid', 'profile', 'email'] : [],
        resources: [],
        prompts: [],
      },
      state: {},
    },
    client,
    organization,
    experience,
    language: await languageNamed(store, tenant, experience, chooseLanguage(language, undefined, experience)),
    formToken: '',
  }
  for (const show of [PAGES[page], showSignIn, showRegister]) {
    const still = stillPage(await show(context))
    if (still) return still
  }
  throw new ApiError('sign_in_experiences.missing_sign_up_identifiers')
}
