/** Second factors, passkeys, trusted devices and captchas in the sign-in settings (DECISIONS O, L21). */
import Type from 'typebox'
import { OneOf } from './schema.ts'

/** The kinds of second factors, as settings and answers name them. */
export const FACTORS = ['Totp', 'WebAuthn', 'BackupCode', 'EmailVerificationCode', 'PhoneVerificationCode'] as const
export const mfa = Type.Object({
  factors: Type.Array(OneOf(FACTORS), {
    maxItems: FACTORS.length,
    description:
      'Those that may be used; BackupCode needs another one beside it. None: no one is asked for a second factor',
  }),
  policy: OneOf(
    [
      'UserControlled',
      'Mandatory',
      'PromptOnlyAtSignIn',
      'PromptAtSignInAndSignUp',
      'NoPrompt',
      'PromptAtSignInAndSignUpMandatory',
      'PromptOnlyAtSignInMandatory',
    ],
    {
      description:
        'Who has a factor is asked for it at each sign-in, unless they switched that off and the policy is not a mandatory one. Who has none is asked to set one up: never (NoPrompt), at sign-in, at sign-in and sign-up (also UserControlled); a mandatory policy (Mandatory is one at sign-in and sign-up) lets no one skip it',
    },
  ),
  organizationRequiredMfaPolicy: Type.Optional(
    OneOf(['NoPrompt', 'Mandatory'], {
      description: 'Mandatory: members of an organization with `isMfaRequired` need a second factor at every sign-in',
    }),
  ),
})
export const trustedDevice = Type.Object({
  enabled: Type.Optional(
    Type.Boolean({ description: 'Whether users may choose not to be asked for a second factor on a device' }),
  ),
  durationDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, description: '30 by default' })),
})
export const adaptiveMfa = Type.Object({
  enabled: Type.Optional(
    Type.Boolean({
      description:
        'Whether users are asked for their second factor only where a sign-in is unusual: from a new browser or country, after impossible travel or 30 days without a sign-in, or from an address with many failures. Off by default; needs a policy that has users set a factor up at sign-in without skipping it',
    }),
  ),
})
export const captchaPolicy = Type.Object({
  enabled: Type.Optional(
    Type.Boolean({
      description:
        'Whether a captcha has to be passed before a password is checked, an account is registered or a code is sent; off by default',
    }),
  ),
  afterFailures: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description:
        'How many failed attempts of the caller’s address within ten minutes, or in a row for the identifier, come before it; 0 by default: it always has to be passed',
    }),
  ),
})

export const passkeySignIn = Type.Object({
  enabled: Type.Optional(Type.Boolean({ description: 'Whether a passkey is enough to sign in with' })),
  showPasskeyButton: Type.Optional(Type.Boolean({ description: 'true by default' })),
  allowAutofill: Type.Optional(
    Type.Boolean({ description: 'Whether browsers offer passkeys in the name field; true by default' }),
  ),
})
