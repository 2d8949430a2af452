/** The captcha provider of a tenant: a service of others that tells people from programs. Without one the server asks browsers for a proof of work. */
import Type, { type Static } from 'typebox'
import { routes, WHOLE } from './route.ts'
import { EpochMilliseconds, OneOf, SECRET } from './schema.ts'

/** A key of a provider: no blanks, so that it can stand in an address. */
const Key = (description: string, more: object = {}) =>
  Type.String({ minLength: 1, maxLength: 256, pattern: '^[\\w.:-]+$', description, ...more })

const SiteKey = Key('Public: the sign-in page shows it', { examples: ['0x4AAAAAAABkMYinukE8nzYS'] })

/** Where the script of reCAPTCHA comes from: the second is for countries in which the first cannot be reached. */
const RECAPTCHA_DOMAINS = ['www.google.com', 'www.recaptcha.net', 'google.com', 'recaptcha.net'] as const

const TurnstileConfig = Type.Object({
  type: Type.Literal('Turnstile'),
  siteKey: SiteKey,
  secretKey: Key('The secret key of the widget', SECRET),
})

const recaptchaLook = {
  domain: Type.Optional(
    OneOf(RECAPTCHA_DOMAINS, { description: 'Where its script comes from; www.google.com by default' }),
  ),
  mode: Type.Optional(
    OneOf(['invisible', 'checkbox'], {
      description: 'Which kind of key it is; invisible by default, which decides by a score of at least 0.5',
    }),
  ),
}

const RecaptchaConfig = Type.Object({
  type: Type.Literal('RecaptchaEnterprise'),
  siteKey: SiteKey,
  secretKey: Key('An API key of the project that may create assessments', SECRET),
  projectId: Key('The id of the Google Cloud project'),
  ...recaptchaLook,
})

export const CaptchaConfig = Type.Union([TurnstileConfig, RecaptchaConfig])
export type CaptchaConfig = Static<typeof CaptchaConfig>

/** What of a provider anyone may know. */
export const PublicCaptcha = Type.Object({
  type: OneOf(['RecaptchaEnterprise', 'Turnstile']),
  siteKey: Type.String(),
  ...recaptchaLook,
})

const CaptchaProvider = Type.Object({
  tenantId: Type.String(),
  id: Type.String(),
  config: CaptchaConfig,
  createdAt: EpochMilliseconds,
  updatedAt: EpochMilliseconds,
})

/** What a browser is shown to have a captcha passed. */
export const Captcha = Type.Union([
  PublicCaptcha,
  Type.Object({
    type: Type.Literal('ProofOfWork'),
    challenge: Type.Object(
      {
        algorithm: Type.String({ examples: ['SHA-256'] }),
        challenge: Type.String({ description: 'The hash, in hexadecimal, of the salt followed by a number' }),
        maxnumber: Type.Integer({ description: 'The number is no larger' }),
        salt: Type.String(),
        signature: Type.String(),
      },
      { description: 'As ALTCHA defines it (protocol 1): find the number' },
    ),
  }),
])

export const captchaProviderRoutes = routes({
  getCaptchaProvider: {
    method: 'GET',
    path: '/captcha-provider',
    permission: 'write:sign-in-exp',
    version: WHOLE,
    summary: 'Get the captcha provider with its keys',
    status: 200,
    response: CaptchaProvider,
    errors: ['entity.not_found'],
  },
  putCaptchaProvider: {
    method: 'PUT',
    path: '/captcha-provider',
    permission: 'write:sign-in-exp',
    version: WHOLE,
    summary: 'Set the captcha provider',
    description:
      'Replaces the one that there is. It is asked wherever `captchaPolicy` of the sign-in settings wants a captcha; without a provider browsers do a proof of work, which needs no third party.',
    body: Type.Object({ config: CaptchaConfig }),
    status: 200,
    response: CaptchaProvider,
  },
  deleteCaptchaProvider: {
    method: 'DELETE',
    path: '/captcha-provider',
    permission: 'write:sign-in-exp',
    version: WHOLE,
    summary: 'Remove the captcha provider, so that browsers do a proof of work instead',
    status: 204,
    errors: ['entity.not_found'],
  },
})
