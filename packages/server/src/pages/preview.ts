/**
 * The pages as they would be with other settings, for those who set them. The forms are those of an interaction that does not
 * exist, without a token, and nothing is read of or written to a browser: what is shown can be looked at, and leads nowhere.
 */
import type { Client } from '../domain/applications/clients.ts'
import type { SignInExperience } from '../domain/sign-in/experience.ts'
import type { Exchange } from '../http/exchange.ts'
import { stillPage } from '../http/still-page.ts'
import { ApiError } from '../kernel/api-error.ts'
import { chooseLanguage } from '../languages/choice.ts'
import { languageNamed } from '../presentation/language.ts'
import type { Store } from '../storage/store.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { PageContext } from './interaction-page.ts'
import { showRegister } from './register.ts'
import { showSignIn } from './sign-in.ts'

const NAME = 'preview'

/** The application that users come from, where none is named. */
const SAMPLE: Client = {
  id: NAME,
  name: 'Acme',
  description: null,
  type: 'SPA',
  isConfidential: false,
  isThirdParty: false,
  hasAccessControl: false,
  metadata: {},
  authMethod: 'none',
  secrets: [],
  keys: [],
  redirectUris: [],
  postLogoutRedirectUris: [],
  look: undefined,
}

interface Shown {
  readonly page: 'sign-in' | 'register'
  /** BCP 47. */
  readonly language: string | undefined
  readonly client: Client | undefined
  readonly experience: SignInExperience
}

/** Shows one of the pages; the other where the settings leave only that. Throws 400 where they leave none. */
export const previewPage =
  (store: Store, dispatcher: Dispatcher) =>
  async (exchange: Exchange, { page, language, client = SAMPLE, experience: proposed }: Shown) => {
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
        id: NAME,
        request: {
          clientId: client.id,
          redirectUri: tenant.baseUrl,
          responseMode: 'query',
          scopes: [],
          resources: [],
          prompts: [],
        },
        state: {},
      },
      client,
      experience,
      language: await languageNamed(store, tenant, experience, chooseLanguage(language, undefined, experience)),
      formToken: '',
    }
    const shown = page === 'register' ? await showRegister(context) : await showSignIn(context)
    const still = stillPage(shown) ?? stillPage(await (page === 'register' ? showSignIn : showRegister)(context))
    if (!still) throw new ApiError('sign_in_experiences.missing_sign_up_identifiers')
    return still
  }
