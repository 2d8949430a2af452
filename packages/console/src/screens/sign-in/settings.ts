/** The sign-in settings as the values of one form, and back as the change that the API takes. */
import type { Answer, Input } from '../../api/client.ts'
import { fieldsOf, textOfFields } from './fields/named-fields.ts'
import { MORE_MEMBERS, moreValues, withMore } from './more-settings.ts'

export type Settings = Answer<'getSignInExperience'>
export type Change = Input<'updateSignInExperience'>['body']
/** Every field is a text; a switch is `true` or `false`. */
export type Values = Readonly<Record<string, string>>

export const IDENTIFIERS = ['username', 'email', 'phone'] as const
export const SECONDARY = [...IDENTIFIERS, 'emailOrPhone'] as const
export const NOTICES = [
  'passwordChanged',
  'emailChanged',
  'phoneChanged',
  'factorAdded',
  'factorRemoved',
  'backupCodesCreated',
  'identityLinked',
  'identityUnlinked',
  'accessTokenCreated',
  'newSignIn',
] as const
export const FACTORS = ['Totp', 'WebAuthn', 'BackupCode', 'EmailVerificationCode', 'PhoneVerificationCode'] as const
export const MODES = ['SignInAndRegister', 'SignIn', 'Register'] as const
export const MFA_POLICIES = [
  'NoPrompt',
  'PromptOnlyAtSignIn',
  'PromptAtSignInAndSignUp',
  'PromptOnlyAtSignInMandatory',
  'PromptAtSignInAndSignUpMandatory',
] as const
export const TERMS_POLICIES = ['Automatic', 'ManualRegistrationOnly', 'Manual'] as const
export const PICTURES = ['logoUrl', 'darkLogoUrl', 'favicon', 'darkFavicon'] as const
export const LINKS = ['termsOfUseUrl', 'privacyPolicyUrl', 'supportWebsiteUrl', 'supportEmail'] as const
export const REJECTS = ['pwned', 'repetitionAndSequence', 'userInfo'] as const

const flag = (value: boolean | undefined): string => String(value ?? false)
const flags = <Name extends string>(
  prefix: string,
  names: readonly Name[],
  isOn: (name: Name) => boolean | undefined,
) => Object.fromEntries(names.map((name) => [`${prefix}.${name}`, flag(isOn(name))]))

/** An earlier name of a policy as the one that it stands for. */
const policyOf = (policy: Settings['mfa']['policy']): string => {
  if (policy === 'UserControlled') return 'PromptAtSignInAndSignUp'
  return policy === 'Mandatory' ? 'PromptAtSignInAndSignUpMandatory' : policy
}

/** What is asked for after the identifier: nothing, as it is, or verified by a code. */
const secondaryOf = ({ secondaryIdentifiers = [] }: Settings['signUp']): Record<string, string> =>
  Object.fromEntries(
    SECONDARY.map((name) => {
      const found = secondaryIdentifiers.find(({ identifier }) => identifier === name)
      return [`secondary.${name}`, found ? (found.verify ? 'verify' : 'ask') : '']
    }),
  )

export const valuesOf = (settings: Settings): Values => ({ ...moreValues(settings), ...formValues(settings) })

const formValues = ({
  color,
  branding,
  languageInfo,
  signIn,
  signUp,
  mfa,
  passwordPolicy,
  ownerNotices,
  ...rest
}: Settings): Values => {
  const methodOf = (identifier: string) => signIn.methods.find((each) => each.identifier === identifier)
  return {
    'color.primaryColor': color.primaryColor,
    'color.darkPrimaryColor': color.darkPrimaryColor,
    'color.isDarkModeEnabled': flag(color.isDarkModeEnabled),
    ...Object.fromEntries(PICTURES.map((name) => [`branding.${name}`, branding[name] ?? ''])),
    ...Object.fromEntries(LINKS.map((name) => [name, rest[name] ?? ''])),
    'languageInfo.autoDetect': flag(languageInfo.autoDetect),
    'languageInfo.fallbackLanguage': languageInfo.fallbackLanguage,
    customCss: rest.customCss ?? '',
    agreeToTermsPolicy: rest.agreeToTermsPolicy,
    signInMode: rest.signInMode,
    ...flags('password', IDENTIFIERS, (name) => methodOf(name)?.password),
    ...flags('code', IDENTIFIERS, (name) => methodOf(name)?.verificationCode),
    ...flags('codeFirst', IDENTIFIERS, (name) => methodOf(name)?.isPasswordPrimary === false),
    ...flags('signUp', IDENTIFIERS, (name) => signUp.identifiers.includes(name)),
    'signUp.password': flag(signUp.password),
    'signUp.verify': flag(signUp.verify),
    ...secondaryOf(signUp),
    signUpProfileFields: textOfFields(rest.signUpProfileFields),
    ...flags('notice', NOTICES, (name) => ownerNotices.kinds?.includes(name) ?? true),
    ...flags('factor', FACTORS, (name) => mfa.factors.includes(name)),
    'mfa.policy': policyOf(mfa.policy),
    'length.min': String(passwordPolicy.length?.min ?? ''),
    'length.max': String(passwordPolicy.length?.max ?? ''),
    'characterTypes.min': String(passwordPolicy.characterTypes?.min ?? 1),
    ...flags('rejects', REJECTS, (name) => passwordPolicy.rejects?.[name]),
    words: (passwordPolicy.rejects?.words ?? []).join('\n'),
  }
}

const isOn = (values: Values, name: string): boolean => values[name] === 'true'
const chosen = <Name extends string>(values: Values, prefix: string, names: readonly Name[]): Name[] =>
  names.filter((name) => isOn(values, `${prefix}.${name}`))
/** Those that were there stay in their order; new ones come after them. */
const inOrder = <Name extends string>(before: readonly Name[], now: readonly Name[]): Name[] => [
  ...before.filter((name) => now.includes(name)),
  ...now.filter((name) => !before.includes(name)),
]
const numeral = (text = '') => (text.trim() === '' ? {} : { value: Number(text) })
const limit = (name: 'min' | 'max', text: string | undefined) => {
  const { value } = numeral(text)
  return value === undefined ? {} : { [name]: value }
}

/** Every field that the screen owns, as the API takes it. */
const bodyOf = (values: Values, stored: Settings): Change => {
  const others = Object.fromEntries(Object.entries(stored).filter(([name]) => MORE_MEMBERS.includes(name)))
  const body = withMore({ ...others, ...formBody(values, stored) }, values)
  const told = chosen(values, 'notice', NOTICES)
  const { kinds: _before, ...notices } = body.ownerNotices as NonNullable<Settings['ownerNotices']>
  const isAll = told.length === NOTICES.length
  return { ...body, ownerNotices: isAll ? notices : { ...notices, kinds: told } } as Change
}

const formBody = (
  values: Values,
  { signIn, signUp, mfa, passwordPolicy }: Settings,
): Readonly<Record<string, unknown>> => {
  const used = IDENTIFIERS.filter((name) => isOn(values, `password.${name}`) || isOn(values, `code.${name}`))
  const words = (values.words ?? '').split('\n').map((word) => word.trim())
  return {
    color: {
      primaryColor: values['color.primaryColor'] ?? '',
      darkPrimaryColor: values['color.darkPrimaryColor'] ?? '',
      isDarkModeEnabled: isOn(values, 'color.isDarkModeEnabled'),
    },
    branding: Object.fromEntries(
      PICTURES.flatMap((name) => {
        const address = values[`branding.${name}`]?.trim()
        return address ? [[name, address]] : []
      }),
    ),
    ...Object.fromEntries(LINKS.map((name) => [name, values[name]?.trim() || null])),
    customCss: values.customCss?.trim() ? values.customCss : null,
    languageInfo: {
      autoDetect: isOn(values, 'languageInfo.autoDetect'),
      fallbackLanguage: values['languageInfo.fallbackLanguage'] ?? 'en',
    },
    agreeToTermsPolicy: values.agreeToTermsPolicy as Settings['agreeToTermsPolicy'],
    signInMode: values.signInMode as Settings['signInMode'],
    signIn: {
      methods: inOrder(
        signIn.methods.map(({ identifier }) => identifier),
        used,
      ).map((identifier) => ({
        identifier,
        password: isOn(values, `password.${identifier}`),
        verificationCode: isOn(values, `code.${identifier}`),
        isPasswordPrimary: !isOn(values, `codeFirst.${identifier}`),
      })),
    },
    signUp: {
      identifiers: inOrder(signUp.identifiers, chosen(values, 'signUp', IDENTIFIERS)),
      password: isOn(values, 'signUp.password'),
      verify: isOn(values, 'signUp.verify'),
      secondaryIdentifiers: inOrder(
        (signUp.secondaryIdentifiers ?? []).map(({ identifier }) => identifier),
        SECONDARY.filter((name) => values[`secondary.${name}`]),
      ).map((identifier) => ({ identifier, verify: values[`secondary.${identifier}`] === 'verify' })),
    },
    signUpProfileFields: fieldsOf(values.signUpProfileFields),
    mfa: {
      ...mfa,
      factors: inOrder(mfa.factors, chosen(values, 'factor', FACTORS)),
      policy: values['mfa.policy'] as Settings['mfa']['policy'],
    },
    passwordPolicy: {
      ...passwordPolicy,
      length: { ...limit('min', values['length.min']), ...limit('max', values['length.max']) },
      characterTypes: { ...limit('min', values['characterTypes.min']) },
      rejects: {
        ...Object.fromEntries(REJECTS.map((name) => [name, isOn(values, `rejects.${name}`)])),
        words: words.filter(Boolean),
      },
    },
  }
}

/** The fields in which the values differ from what is stored. */
export const changeOf = (values: Values, stored: Settings): Change => {
  const [before, after] = [bodyOf(valuesOf(stored), stored), bodyOf(values, stored)]
  return Object.fromEntries(
    Object.entries(after ?? {}).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify((before as Record<string, unknown>)[name]),
    ),
  ) as Change
}
