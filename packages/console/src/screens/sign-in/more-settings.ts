/** The settings that need no form of their own: each is a switch, a number, a text, lines or a choice at a path of the sign-in settings. */
import type { Settings } from './settings.ts'

export const CHOICES = {
  'mfa.organizationRequiredMfaPolicy': ['NoPrompt', 'Mandatory'],
  forgotPasswordMethods: ['null', 'EmailVerificationCode', 'PhoneVerificationCode', 'both', 'none'],
} as const

/** Which card shows which, in their order. */
export const CARDS = {
  names: [
    'usernamePolicy.minLength',
    'usernamePolicy.maxLength',
    'usernamePolicy.allowedChars.lowercase',
    'usernamePolicy.allowedChars.uppercase',
    'usernamePolicy.allowedChars.numbers',
    'usernamePolicy.allowedChars.underscore',
    'usernamePolicy.caseSensitive',
  ],
  elsewhere: [
    'socialSignIn.automaticAccountLinking',
    'socialSignIn.skipRequiredIdentifiers',
    'singleSignOnEnabled',
    'singleSignOnExemptUserIds',
  ],
  passkeys: ['passkeySignIn.enabled', 'passkeySignIn.showPasskeyButton', 'passkeySignIn.allowAutofill'],
  when: [
    'adaptiveMfa.enabled',
    'trustedDevice.enabled',
    'trustedDevice.durationDays',
    'mfa.organizationRequiredMfaPolicy',
  ],
  resets: ['forgotPasswordMethods', 'passwordExpiration.enabled', 'passwordExpiration.validPeriodDays'],
  guesses: [
    'sentinelPolicy.maxAttempts',
    'sentinelPolicy.lockoutDuration',
    'verificationCodePolicy.maxRetryAttempts',
    'verificationCodePolicy.expirationDuration',
    'captchaPolicy.enabled',
    'captchaPolicy.afterFailures',
  ],
  addresses: [
    'emailBlocklistPolicy.blockDisposableAddresses',
    'emailBlocklistPolicy.blockSubaddressing',
    'emailBlocklistPolicy.customBlocklist',
    'emailBlocklistPolicy.customAllowlist',
  ],
  notices: ['ownerNotices.enabled', 'ownerNotices.byAdministrators'],
  developers: ['unknownSessionRedirectUrl', 'hideLogtoBranding', 'developerMode', 'restrictExchangeToSubjectScope'],
} as const
export type CardName = keyof typeof CARDS
export type Path = (typeof CARDS)[CardName][number]

export type Shape = 'flag' | 'number' | 'text' | 'lines' | 'choice'

const SHAPES: Readonly<Partial<Record<Path, Shape>>> = {
  'usernamePolicy.minLength': 'number',
  'usernamePolicy.maxLength': 'number',
  singleSignOnExemptUserIds: 'lines',
  'trustedDevice.durationDays': 'number',
  'mfa.organizationRequiredMfaPolicy': 'choice',
  forgotPasswordMethods: 'choice',
  'passwordExpiration.validPeriodDays': 'number',
  'sentinelPolicy.maxAttempts': 'number',
  'sentinelPolicy.lockoutDuration': 'number',
  'verificationCodePolicy.maxRetryAttempts': 'number',
  'verificationCodePolicy.expirationDuration': 'number',
  'captchaPolicy.afterFailures': 'number',
  'emailBlocklistPolicy.customBlocklist': 'lines',
  'emailBlocklistPolicy.customAllowlist': 'lines',
  unknownSessionRedirectUrl: 'text',
}

export const shapeOf = (path: Path): Shape => SHAPES[path] ?? 'flag'

const PATHS: readonly Path[] = Object.values(CARDS).flat()
type Tree = Readonly<Record<string, unknown>>
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

const at = (tree: unknown, [name = '', ...rest]: readonly string[]): unknown => {
  const value = isTree(tree) ? tree[name] : undefined
  return rest.length === 0 ? value : at(value, rest)
}

const put = (tree: unknown, [name = '', ...rest]: readonly string[], value: unknown): Tree => {
  const { [name]: before, ...others } = isTree(tree) ? tree : {}
  if (rest.length > 0) return { ...others, [name]: put(before, rest, value) }
  return value === undefined ? others : { ...others, [name]: value }
}

/** The methods by which forgotten passwords are replaced, as one choice. */
const resetChoice = (methods: unknown): string => {
  if (!Array.isArray(methods)) return 'null'
  return methods.length === 2 ? 'both' : String(methods[0] ?? 'none')
}
const resetMethods = (choice: string): readonly string[] | null => {
  if (choice === 'null') return null
  if (choice === 'both') return CHOICES.forgotPasswordMethods.slice(1, 3)
  return choice === 'none' ? [] : [choice]
}

const textOf = (path: Path, value: unknown): string => {
  if (path === 'forgotPasswordMethods') return resetChoice(value)
  if (path === 'mfa.organizationRequiredMfaPolicy') return String(value ?? 'NoPrompt')
  const shape = shapeOf(path)
  if (shape === 'flag') return String(value === true)
  if (shape === 'lines') return Array.isArray(value) ? value.join('\n') : ''
  return value === undefined || value === null ? '' : String(value)
}

const storedValue = (path: Path, text: string): unknown => {
  if (path === 'forgotPasswordMethods') return resetMethods(text)
  const shape = shapeOf(path)
  if (shape === 'flag') return text === 'true'
  if (shape === 'number') return text.trim() === '' ? undefined : Number(text)
  if (shape === 'lines')
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
  return shape === 'text' ? text.trim() || null : text
}

/** The values of a form, by path. */
export const moreValues = (settings: Settings): Readonly<Record<string, string>> =>
  Object.fromEntries(PATHS.map((path) => [path, textOf(path, at(settings, path.split('.')))]))

/** The settings that have any of these paths, with what the form says in them. */
export const withMore = (settings: Tree, values: Readonly<Record<string, string>>): Tree =>
  PATHS.reduce<Tree>((tree, path) => put(tree, path.split('.'), storedValue(path, values[path] ?? '')), settings)

/** The members of the settings in which one of these paths is. */
export const MORE_MEMBERS: readonly string[] = [...new Set(PATHS.map((path) => path.split('.')[0] ?? ''))]
