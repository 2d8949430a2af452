/** The sign-in settings of a tenant (DECISIONS L1): what may be signed in with, how it looks, what protects it. */

import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { CONSOLE_ID } from '../applications/console.ts'
import type { EmailBlocklistPolicy } from '../credentials/email-blocklist.ts'
import { DEFAULT_PASSWORD_POLICY, type PasswordPolicy } from '../credentials/password-policy.ts'
import { CONNECTORS_TAG } from '../delivery/connectors.ts'
import type { FactorType } from '../factors/factors.ts'
import { FAMILIAR_DAYS } from '../factors/familiarity.ts'
import { SSO_CONNECTORS_TAG } from '../federation/enterprise/connectors.ts'
import { DEFAULT_OWNER_NOTICES, type OwnerNoticeSettings } from '../users/owner-notices.ts'
import { listProfileFields, PROFILE_FIELDS_TAG, type ProfileField } from '../users/profile-fields.ts'
import type { PasswordExpiration } from './password-expiration.ts'
import { offeredConnectors, type SocialConnector } from './social-connectors.ts'

type IdentifierType = 'username' | 'email' | 'phone'

/** When users are asked for second factors, and for setting them up. */
export type MfaPolicy =
  | 'UserControlled'
  | 'Mandatory'
  | 'PromptOnlyAtSignIn'
  | 'PromptAtSignInAndSignUp'
  | 'NoPrompt'
  | 'PromptAtSignInAndSignUpMandatory'
  | 'PromptOnlyAtSignInMandatory'

export interface MfaSettings {
  /** Those that may be used; none: no one is asked for any. */
  readonly factors: readonly FactorType[]
  readonly policy: MfaPolicy
  /** Of members of an organization that requires second factors. */
  readonly organizationRequiredMfaPolicy?: 'NoPrompt' | 'Mandatory'
}

export interface SignInSettings {
  readonly signInMode: 'SignIn' | 'Register' | 'SignInAndRegister'
  readonly color: {
    readonly primaryColor: string
    readonly isDarkModeEnabled: boolean
    readonly darkPrimaryColor: string
  }
  readonly branding: {
    readonly logoUrl?: string
    readonly darkLogoUrl?: string
    readonly favicon?: string
    readonly darkFavicon?: string
  }
  readonly hideLogtoBranding: boolean
  readonly languageInfo: { readonly autoDetect: boolean; readonly fallbackLanguage: string }
  readonly termsOfUseUrl: string | null
  readonly privacyPolicyUrl: string | null
  /** Where the pages require users to agree to both by a check box. */
  readonly agreeToTermsPolicy: 'Automatic' | 'ManualRegistrationOnly' | 'Manual'
  readonly supportEmail: string | null
  readonly supportWebsiteUrl: string | null
  /** Where pages that end a flow link to if no application is known. */
  readonly unknownSessionRedirectUrl: string | null
  /** A style sheet behind that of the pages. */
  readonly customCss: string | null
  /** Whether the page of a refused authorization request shows its details. */
  readonly developerMode: boolean
  readonly signIn: {
    readonly methods: readonly {
      readonly identifier: IdentifierType
      readonly password: boolean
      readonly verificationCode: boolean
      readonly isPasswordPrimary: boolean
    }[]
  }
  readonly signUp: {
    /** A new user provides one of them; without any, registration is off. */
    readonly identifiers: readonly IdentifierType[]
    readonly password: boolean
    readonly verify: boolean
    /** Each of them is asked for too. */
    readonly secondaryIdentifiers?: readonly {
      readonly identifier: IdentifierType | 'emailOrPhone'
      readonly verify?: boolean
    }[]
  }
  /** The fields of profiles that new users are asked for; null: all that there are. */
  readonly signUpProfileFields: readonly { readonly name: string }[] | null
  readonly passwordPolicy: PasswordPolicy
  readonly usernamePolicy: {
    readonly caseSensitive: boolean
    readonly minLength: number
    readonly maxLength: number
    readonly allowedChars: {
      readonly lowercase: boolean
      readonly uppercase: boolean
      readonly numbers: boolean
      readonly underscore: boolean
    }
  }
  /** lockoutDuration in minutes. */
  readonly sentinelPolicy: { readonly maxAttempts: number; readonly lockoutDuration: number }
  /** expirationDuration in seconds. */
  readonly verificationCodePolicy: { readonly expirationDuration: number; readonly maxRetryAttempts: number }
  readonly emailBlocklistPolicy: EmailBlocklistPolicy
  readonly passwordExpiration: PasswordExpiration
  /** null: by email and text message, as soon as there is a connector for it. */
  readonly forgotPasswordMethods: readonly ('EmailVerificationCode' | 'PhoneVerificationCode')[] | null
  readonly mfa: MfaSettings
  /** Whether second factors are asked for only where a sign-in is unusual. */
  readonly adaptiveMfa: { readonly enabled: boolean }
  /** Which changes owners of accounts are told of by mail, and whether of those by administrators too. */
  readonly ownerNotices: OwnerNoticeSettings
  /** Whether users with a verified address are recognized by it, and whether new ones are asked for what sign-up asks for. */
  readonly socialSignIn: { readonly automaticAccountLinking?: boolean; readonly skipRequiredIdentifiers?: boolean }
  /** Whether users with an address at the domain of an SSO connector sign in there, and in no other way. */
  readonly singleSignOnEnabled: boolean
  /** Users who may sign in otherwise nonetheless, when the identity provider cannot be reached. */
  readonly singleSignOnExemptUserIds: readonly string[]
  /** The targets of the connectors that are offered, in their order. */
  readonly socialSignInConnectorTargets: readonly string[]
  /** Whether a captcha is wanted: always (0), or after this many failures of the address or of the identifier. */
  readonly captchaPolicy: { readonly enabled: boolean; readonly afterFailures: number }
  /** Whether users may trust devices, and for how long. */
  readonly trustedDevice: { readonly enabled: boolean; readonly durationDays: number }
  /** Whether a passkey signs users in, and how the page offers it. */
  readonly passkeySignIn: {
    readonly enabled: boolean
    readonly showPasskeyButton: boolean
    readonly allowAutofill: boolean
  }
  /** Whether an exchanged token has only scopes of the access token that it came of. */
  readonly restrictExchangeToSubjectScope: boolean
}

/** The settings, and what follows from them and from the tenant's other configuration. */
export interface SignInExperience extends SignInSettings {
  /** Whether there is a mail connector. */
  readonly canMail: boolean
  /** Whether there is a connector that carries text messages. */
  readonly canText: boolean
  /** Origins other than the tenant's own at which its passkeys are made and used. */
  readonly webauthnRelatedOrigins: readonly string[]
  /** What a code can be sent to that replaces a forgotten password. */
  readonly resetIdentifiers: readonly ('email' | 'phone')[]
  /** Whether there is any. */
  readonly canResetPassword: boolean
  /** The fields of profiles that the tenant has. */
  readonly profileFields: readonly ProfileField[]
  /** Those of them that new users are asked for, in the order of the page. */
  readonly signUpFields: readonly ProfileField[]
  /** The connectors at which users may sign in, in their order. */
  readonly socialConnectors: readonly SocialConnector[]
  /** Whether single sign-on is on, and there is a connector that can be used. */
  readonly hasSso: boolean
  /** The email domains of such connectors: an address at any other leads to none, and nothing has to be read for it. */
  readonly ssoDomains: ReadonlySet<string>
  /** The languages in which the operator has phrases, in canonical form. */
  readonly customLanguages: readonly string[]
}

export const DEFAULT_EXPERIENCE: SignInSettings = {
  signInMode: 'SignInAndRegister',
  color: { primaryColor: '#2f4fd0', isDarkModeEnabled: true, darkPrimaryColor: '#9db2ff' },
  branding: {},
  hideLogtoBranding: true,
  languageInfo: { autoDetect: true, fallbackLanguage: 'en' },
  termsOfUseUrl: null,
  privacyPolicyUrl: null,
  agreeToTermsPolicy: 'Automatic',
  supportEmail: null,
  supportWebsiteUrl: null,
  unknownSessionRedirectUrl: null,
  customCss: null,
  developerMode: false,
  signIn: {
    methods: [{ identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true }],
  },
  signUp: { identifiers: ['username'], password: true, verify: false },
  signUpProfileFields: null,
  passwordPolicy: DEFAULT_PASSWORD_POLICY,
  usernamePolicy: {
    caseSensitive: false,
    minLength: 1,
    maxLength: 128,
    allowedChars: { lowercase: true, uppercase: true, numbers: true, underscore: true },
  },
  sentinelPolicy: { maxAttempts: 10, lockoutDuration: 15 },
  verificationCodePolicy: { expirationDuration: 600, maxRetryAttempts: 10 },
  emailBlocklistPolicy: {},
  passwordExpiration: { enabled: false },
  forgotPasswordMethods: null,
  mfa: { factors: [], policy: 'NoPrompt' },
  adaptiveMfa: { enabled: false },
  ownerNotices: DEFAULT_OWNER_NOTICES,
  captchaPolicy: { enabled: false, afterFailures: 0 },
  socialSignIn: {},
  singleSignOnEnabled: false,
  singleSignOnExemptUserIds: [],
  socialSignInConnectorTargets: [],
  trustedDevice: { enabled: false, durationDays: 30 },
  passkeySignIn: { enabled: false, showPasskeyButton: true, allowAutofill: true },
  restrictExchangeToSubjectScope: false,
}

export const EXPERIENCE_TAG = 'sign-in-experience'
export const CUSTOM_PHRASES_TAG = 'custom-phrases'

/** The fields whose parts may be omitted, at every level: these are filled in from the default. */
const PARTIAL = [
  'passwordPolicy',
  'usernamePolicy',
  'sentinelPolicy',
  'verificationCodePolicy',
  'passkeySignIn',
  'trustedDevice',
  'captchaPolicy',
  'adaptiveMfa',
  'ownerNotices',
] as const

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const filled = (value: unknown, fallback: unknown): unknown => {
  if (value === undefined) return fallback
  if (!isPlain(value) || !isPlain(fallback)) return value
  const names = new Set([...Object.keys(fallback), ...Object.keys(value)])
  return Object.fromEntries([...names].map((name) => [name, filled(value[name], fallback[name])]))
}

/** Stored settings, over the defaults. */
export const overDefaults = (settings: Readonly<Record<string, unknown>>): SignInSettings => ({
  ...DEFAULT_EXPERIENCE,
  ...settings,
  ...Object.fromEntries(PARTIAL.map((name) => [name, filled(settings[name], DEFAULT_EXPERIENCE[name])])),
})

/** For how many days a browser keeps the cookie of its device: while it is trusted, and while it is no new one. */
export const deviceDays = (settings: SignInExperience): number => {
  const { durationDays } = settings.trustedDevice
  return remembersSignIns(settings) ? Math.max(FAMILIAR_DAYS, durationDays) : durationDays
}

/** Whether browsers and places of sign-ins are remembered, to compare later ones with: for adaptive MFA, and to tell owners of new ones. */
export const remembersSignIns = ({ adaptiveMfa, ownerNotices, canMail }: SignInExperience): boolean =>
  adaptiveMfa.enabled || (canMail && ownerNotices.enabled && ownerNotices.kinds.includes('newSignIn'))

/** The fields whose members may be omitted from a change: omitted ones stay. */
const MERGED = ['color', 'languageInfo', 'signUp'] as const

/**
 * The settings after a change. Each field in it replaces the stored one, except those in MERGED.
 * @param before the stored settings
 */
export const changedSettings = (
  before: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>>,
): SignInSettings => {
  const present = overDefaults(before)
  const merged = MERGED.filter((name) => change[name] !== undefined).map((name) => [
    name,
    { ...present[name], ...(change[name] as object) },
  ])
  return overDefaults({ ...before, ...change, ...Object.fromEntries(merged) })
}

/** The fields of profiles that new users are asked for, in their order. @param fields of the tenant */
export const signUpFieldsOf = (
  { signUpProfileFields: named }: Pick<SignInSettings, 'signUpProfileFields'>,
  fields: readonly ProfileField[],
): readonly ProfileField[] =>
  named ? named.flatMap(({ name }) => fields.find((field) => field.name === name) ?? []) : fields

const NO_DOMAINS: ReadonlySet<string> = new Set()

/** Cached separately: there may be ten thousand, and other settings change more often. */
const domainsOfSso = (store: Store, tenantId: string): Promise<ReadonlySet<string>> =>
  store.cache.get(tenantId, 'sso-domains', async () => {
    const rows = await store.database.configuration
      .selectFrom('sso_connector_domains as d')
      .innerJoin('sso_connectors as c', (join) =>
        join.onRef('c.tenant_id', '=', 'd.tenant_id').onRef('c.id', '=', 'd.connector_id'),
      )
      .select('d.domain')
      .where(inTenant(tenantId, 'd'))
      .where('c.is_complete', '=', true)
      .execute()
    return { value: new Set(rows.map(({ domain }) => domain)), tags: [SSO_CONNECTORS_TAG] }
  })

/** The settings of a tenant over the defaults, from the cache. */
export const signInExperience = (store: Store, { id: tenantId }: Tenant): Promise<SignInExperience> =>
  store.cache.get(tenantId, EXPERIENCE_TAG, async () => {
    const db = store.database.configuration
    const [row, account, connectors, profileFields, phrases, usable] = await Promise.all([
      db.selectFrom('sign_in_experiences').select('settings').where(inTenant(tenantId)).executeTakeFirst(),
      db.selectFrom('account_centers').select('webauthn_related_origins').where(inTenant(tenantId)).executeTakeFirst(),
      db
        .selectFrom('connectors')
        .select(['id', 'type', 'connector_id', 'target', 'metadata'])
        .where(inTenant(tenantId))
        .execute(),
      listProfileFields(db, tenantId),
      db.selectFrom('custom_phrases').select('language_tag').where(inTenant(tenantId)).execute(),
      db
        .selectFrom('sso_connectors')
        .select('id')
        .where(inTenant(tenantId))
        .where('is_complete', '=', true)
        .limit(1)
        .executeTakeFirst(),
    ])
    const settings = overDefaults(row?.settings ?? {})
    const { forgotPasswordMethods: methods } = settings
    const canMail = connectors.some(({ type }) => type === 'Email')
    const canText = connectors.some(({ type }) => type === 'Sms')
    const webauthnRelatedOrigins = account?.webauthn_related_origins ?? []
    const customLanguages = phrases.map(({ language_tag }) => language_tag)
    const byMail = canMail && (methods?.includes('EmailVerificationCode') ?? true)
    const byText = canText && (methods?.includes('PhoneVerificationCode') ?? true)
    const resetIdentifiers = [...(byMail ? ['email' as const] : []), ...(byText ? ['phone' as const] : [])]
    const reset = { resetIdentifiers, canResetPassword: resetIdentifiers.length > 0 }
    const signUpFields = signUpFieldsOf(settings, profileFields)
    const socialConnectors = offeredConnectors(settings, connectors)
    const hasSso = settings.singleSignOnEnabled && usable !== undefined
    const ssoDomains = hasSso ? await domainsOfSso(store, tenantId) : NO_DOMAINS
    const fields = { hasSso, ssoDomains, profileFields, signUpFields, customLanguages, socialConnectors }
    const value = { ...settings, canMail, canText, ...reset, webauthnRelatedOrigins, ...fields }
    return { value, tags: [EXPERIENCE_TAG, CONNECTORS_TAG, SSO_CONNECTORS_TAG, PROFILE_FIELDS_TAG, CUSTOM_PHRASES_TAG] }
  })

/**
 * The settings as they hold at an application: the console is one to sign in to only, whatever the tenant's mode (DECISIONS U2).
 * Its users are administrators already, and have to reach the settings of a tenant that only registers, or whose style sheet hides
 * the form (DECISIONS L26).
 */
export const experienceAt = async (store: Store, tenant: Tenant, applicationId: string): Promise<SignInExperience> => {
  const experience = await signInExperience(store, tenant)
  return applicationId === CONSOLE_ID ? { ...experience, signInMode: 'SignIn', customCss: null } : experience
}
