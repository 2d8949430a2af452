/**
 * Changes to the sign-in settings: which combinations are valid, what cannot be switched on yet, and what is stored.
 */

import { isDeepStrictEqual } from 'node:util'
import type { InputIssueCode } from '@countersign/contract/input-issues.ts'
import { type SignInExperienceUpdate, SWITCHED_OFF } from '@countersign/contract/sign-in-experience.ts'
import type { Static } from 'typebox'
import { ApiError } from '../../kernel/api-error.ts'
import { BUILT_IN_LANGUAGES, builtInLanguage } from '../../languages/choice.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { holdReferencedRows } from '../../storage/referenced-rows.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { soundCss } from '../applications/look.ts'
import { assertBlocklistFormat } from '../credentials/email-blocklist.ts'
import { keepIdentifier } from '../credentials/identifiers.ts'
import { ignoreCaseOfNames } from '../users/name-rule.ts'
import {
  changedSettings,
  DEFAULT_EXPERIENCE,
  EXPERIENCE_TAG,
  type MfaPolicy,
  overDefaults,
  type SignInSettings,
} from './experience.ts'
import { KINDS_OF } from './missing-profile.ts'
import { changedExpiration, type PasswordExpiration } from './password-expiration.ts'
import { assertSignUpFields } from './sign-up-fields.ts'

type Update = Static<typeof SignInExperienceUpdate>

const invalid = (reason: string) => new ApiError('guard.invalid_input', { reason })

/** @param member with dots, as `color.primaryColor` @param reason in English, after the member */
const refused = (member: string, reason: string, code: InputIssueCode): ApiError =>
  new ApiError('guard.invalid_input', {
    reason: `${member} ${reason}`,
    issues: [{ path: `/${member.replaceAll('.', '/')}`, reason, code }],
  })
const missingFeature = (feature: string) => new ApiError('request.feature_not_supported', { feature })

/** Whether a value for a feature that does not exist leaves it off. */
const isOff = (value: unknown): boolean => {
  if (value === null || value === undefined || value === false || value === '') return true
  if (typeof value !== 'object') return false
  if ('enabled' in value) return isOff(value.enabled)
  return Object.values(value).every(isOff)
}

const assertFeatures = (update: Update): void => {
  for (const name of SWITCHED_OFF) if (!isOff(update[name])) throw missingFeature(name)
}

/** What the settings would be after an update that is not saved. Throws 400 and 422 for values that are never valid; whether they fit one another is not checked. */
export const proposedSettings = <S extends SignInSettings>(present: S, update: Update): S => {
  assertFeatures(update)
  return { ...present, ...changedSettings(Object.fromEntries(Object.entries(present)), normalized(update)) }
}

/** Throws 422 if something has to be verified and nothing can be: a username. */
const assertProvable = ({ identifiers, verify }: SignInSettings['signUp']): void => {
  if (verify && identifiers.every((type) => type === 'username')) throw missingFeature('signUp.verify')
}

/** An address that a page may link to or show: only http or https (SECURITY R-23). */
export const webAddress = (name: string, value: string | null | undefined): string | null => {
  if (!value) return null
  const url = URL.parse(value)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    throw refused(name, 'must be an http or https address', 'url')
  return value
}

/** Logos and icons: those that are set. Throws 400. */
export const soundBranding = (branding: NonNullable<Update['branding']>): SignInSettings['branding'] =>
  Object.fromEntries(
    Object.entries(branding)
      .map(([name, value]) => [name, webAddress(`branding.${name}`, value)])
      .filter(([, value]) => value !== null),
  )

const mailAddress = (value: string): string => {
  try {
    return keepIdentifier({ type: 'email', value }).value
  } catch {
    throw refused('supportEmail', 'must be an email address', 'email')
  }
}

const LINKS = ['termsOfUseUrl', 'privacyPolicyUrl', 'supportWebsiteUrl', 'unknownSessionRedirectUrl'] as const

/** The update as it is stored: empty strings are null, addresses are valid. */
const normalized = ({ branding, supportEmail, signIn, customCss, ...update }: Update): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(update).filter(([name]) => !(SWITCHED_OFF as readonly string[]).includes(name))),
  ...Object.fromEntries(
    LINKS.filter((name) => update[name] !== undefined).map((name) => [name, webAddress(name, update[name])]),
  ),
  ...(branding
    ? {
        branding: soundBranding(branding),
      }
    : {}),
  ...(signIn
    ? {
        signIn: {
          methods: signIn.methods.map((each) => ({ verificationCode: false, isPasswordPrimary: true, ...each })),
        },
      }
    : {}),
  ...(customCss === undefined ? {} : { customCss: soundCss(customCss) }),
  ...(supportEmail === undefined ? {} : { supportEmail: supportEmail ? mailAddress(supportEmail) : null }),
})

/** Throws 400 for secondary identifiers that are asked for already, or that cannot be had. */
const assertSecondary = ({ identifiers, secondaryIdentifiers = [], password }: SignInSettings['signUp']): void => {
  if (secondaryIdentifiers.length > 0 && identifiers.length === 0)
    throw new ApiError('sign_in_experiences.missing_sign_up_identifiers')
  const kinds = secondaryIdentifiers.flatMap(({ identifier }): readonly string[] => KINDS_OF[identifier])
  if (new Set([...identifiers, ...kinds]).size < identifiers.length + kinds.length)
    throw new ApiError('sign_in_experiences.duplicated_sign_up_identifiers')
  if (kinds.includes('username') && !password) throw new ApiError('sign_in_experiences.username_requires_password')
  if (secondaryIdentifiers.some(({ identifier, verify }) => identifier === 'username' && verify))
    throw invalid('signUp.secondaryIdentifiers: a username cannot be verified')
}

const assertFieldNames = (named: SignInSettings['signUpProfileFields']): void => {
  if (named && new Set(named.map(({ name }) => name)).size < named.length)
    throw refused('signUpProfileFields', 'contains a field twice', 'duplicate')
}

/** Throws 400 `sign_in_experiences.…` if the sign-up identifiers do not match the sign-in methods. */
const assertCoherent = (settings: SignInSettings): void => {
  const { signIn, signUp, signInMode, passwordPolicy, usernamePolicy } = settings
  const fails = (code: `sign_in_experiences.${string}`, data?: Record<string, unknown>) =>
    new ApiError(code as ApiError['code'], data)
  const { methods } = signIn
  if (methods.some(({ password, verificationCode }) => !password && !verificationCode))
    throw fails('sign_in_experiences.at_least_one_authentication_factor')
  if (methods.some(({ identifier, verificationCode }) => identifier === 'username' && verificationCode))
    throw invalid('signIn.methods: no code can be sent to a username')
  if (new Set(methods.map(({ identifier }) => identifier)).size < methods.length)
    throw refused('signIn.methods', 'contains an identifier twice', 'duplicate')
  if (new Set(signUp.identifiers).size < signUp.identifiers.length)
    throw fails('sign_in_experiences.duplicated_sign_up_identifiers')
  // without an identifier to register with, users can still sign in
  if (signInMode === 'Register' && signUp.identifiers.length === 0)
    throw fails('sign_in_experiences.missing_sign_up_identifiers')
  if (signUp.identifiers.includes('username') && !signUp.password)
    throw fails('sign_in_experiences.username_requires_password')
  if (signUp.identifiers.length > 0 && !signUp.password && !signUp.verify)
    throw fails('sign_in_experiences.passwordless_requires_verify')
  for (const identifier of signUp.identifiers) {
    const method = methods.find((each) => each.identifier === identifier)
    if (!method) throw fails('sign_in_experiences.miss_sign_up_identifier_in_sign_in', { identifier })
    if (signUp.password && !method.password)
      throw fails('sign_in_experiences.password_sign_in_must_be_enabled', { identifier })
    if (!signUp.password && !method.verificationCode)
      throw fails('sign_in_experiences.code_sign_in_must_be_enabled', { identifier })
  }
  const isElsewhere = settings.socialSignInConnectorTargets.length > 0 || settings.singleSignOnEnabled
  if (signInMode !== 'Register' && methods.length === 0 && !isElsewhere)
    throw refused('signIn.methods', 'must not be empty where users cannot sign in elsewhere', 'empty')
  if (passwordPolicy.length.min > passwordPolicy.length.max)
    throw refused('passwordPolicy.length.min', 'must not be greater than max', 'order')
  if (usernamePolicy.minLength > usernamePolicy.maxLength)
    throw refused('usernamePolicy.minLength', 'must not be greater than maxLength', 'order')
  if (!usernamePolicy.allowedChars.lowercase && !usernamePolicy.allowedChars.uppercase)
    throw invalid('usernamePolicy.allowedChars must leave letters')
}

const CODE_FACTORS = [
  ['email', 'EmailVerificationCode'],
  ['phone', 'PhoneVerificationCode'],
] as const

/** A code that signs in is no second factor: the error names what was changed. */
const CLASHES = {
  email: {
    mfa: 'sign_in_experiences.email_verification_code_cannot_be_used_for_mfa',
    signIn: 'sign_in_experiences.email_verification_code_cannot_be_used_for_sign_in',
  },
  phone: {
    mfa: 'sign_in_experiences.phone_verification_code_cannot_be_used_for_mfa',
    signIn: 'sign_in_experiences.phone_verification_code_cannot_be_used_for_sign_in',
  },
} as const

/** The policies with which a user has a factor to be asked for, and is not asked at every sign-in. */
const ADAPTABLE: ReadonlySet<MfaPolicy> = new Set(['PromptOnlyAtSignInMandatory', 'PromptAtSignInAndSignUpMandatory'])

/** Throws 422 for adaptive MFA with nothing to ask for, or with a policy that leaves it nothing to decide. */
const assertAdaptable = ({ adaptiveMfa, mfa: { factors, policy } }: SignInSettings): void => {
  if (!adaptiveMfa.enabled) return
  if (factors.length === 0) throw new ApiError('sign_in_experiences.adaptive_mfa_requires_mfa')
  if (!ADAPTABLE.has(policy)) throw new ApiError('sign_in_experiences.adaptive_mfa_requires_non_skippable_policy')
}

/** Throws 400 for second factors that do not fit one another, or what users sign in with. */
const assertFactors = ({ mfa: { factors }, signIn: { methods } }: SignInSettings, update: Update): void => {
  if (new Set(factors).size < factors.length) throw new ApiError('sign_in_experiences.duplicated_mfa_factors')
  if (factors.join() === 'BackupCode') throw new ApiError('sign_in_experiences.backup_code_cannot_be_enabled_alone')
  for (const [type, factor] of CODE_FACTORS) {
    const isFirst = methods.some(({ identifier, verificationCode }) => identifier === type && verificationCode)
    if (!isFirst || !factors.includes(factor)) continue
    throw new ApiError(CLASHES[type][update.mfa ? 'mfa' : 'signIn'])
  }
}

const CONNECTOR = { EmailVerificationCode: 'Email', PhoneVerificationCode: 'Sms' } as const

const hasConnector = async ({ tx, tenant }: Unit, type: 'Email' | 'Sms'): Promise<boolean> => {
  const connector = await tx
    .selectFrom('connectors')
    .select('id')
    .where(inTenant(tenant.id))
    .where('type', '=', type)
    .executeTakeFirst()
  return connector !== undefined
}

const hasTarget = async ({ tx, tenant }: Unit, target: string): Promise<boolean> => {
  const connector = await tx
    .selectFrom('connectors')
    .select('id')
    .where(inTenant(tenant.id))
    .where('target', '=', target)
    .executeTakeFirst()
  return connector !== undefined
}

/** Throws 400 for a language that pages could not fall back to. */
const assertLanguage = async ({ tx, tenant }: Unit, { languageInfo }: Update): Promise<void> => {
  const { fallbackLanguage: language = 'en' } = languageInfo ?? {}
  if (builtInLanguage(language)) return
  const rows = await tx.selectFrom('custom_phrases').select('language_tag').where(inTenant(tenant.id)).execute()
  if (!rows.some(({ language_tag }) => language_tag.toLowerCase() === language.toLowerCase()))
    throw new ApiError('sign_in_experiences.unsupported_default_language', {
      language,
      languages: BUILT_IN_LANGUAGES.join(', '),
    })
}

/** Throws 400 for social connectors that are not there and were not named before, and for codes that reset a password, verify an address, sign in or are a second factor, without a connector. */
const assertConnectors = async (
  unit: Unit,
  { forgotPasswordMethods, signIn, signUp, mfa, socialSignInConnectorTargets }: Update,
  { signUp: { identifiers, secondaryIdentifiers = [] } }: SignInSettings,
  { socialSignInConnectorTargets: present }: SignInSettings,
): Promise<void> => {
  for (const method of forgotPasswordMethods ?? []) {
    if (!(await hasConnector(unit, CONNECTOR[method])))
      throw new ApiError('sign_in_experiences.forgot_password_method_requires_connector', { method })
  }
  // a connector may have been deleted since: what was read can be written back
  for (const target of socialSignInConnectorTargets ?? [])
    if (!present.includes(target) && !(await hasTarget(unit, target)))
      throw new ApiError('sign_in_experiences.enabled_connector_not_found', { type: target })
  const signsIn = (type: 'email' | 'phone') =>
    signIn?.methods.some(({ identifier, verificationCode }) => identifier === type && verificationCode)
  for (const [identifier, factor] of CODE_FACTORS) {
    const isSecondary = secondaryIdentifiers.some(
      (each) => each.verify && (KINDS_OF[each.identifier] as readonly string[]).includes(identifier),
    )
    const isVerified = signUp && ((signUp.verify && identifiers.includes(identifier)) || isSecondary)
    const isNeeded = isVerified || signsIn(identifier) || mfa?.factors.includes(factor)
    const type = CONNECTOR[factor]
    if (isNeeded && !(await hasConnector(unit, type)))
      throw new ApiError('sign_in_experiences.enabled_connector_not_found', { type })
  }
}

/** Expiry of passwords after the change. Throws 400 as changedExpiration. */
const expirationAfter = async (
  unit: Unit,
  settings: Readonly<Record<string, unknown>>,
  { forgotPasswordMethods: methods, passwordExpiration }: SignInSettings,
  update: Update,
): Promise<PasswordExpiration> => {
  if (!update.passwordExpiration) return passwordExpiration
  const offered = methods ?? (['EmailVerificationCode', 'PhoneVerificationCode'] as const)
  const carried = await Promise.all(offered.map((method) => hasConnector(unit, CONNECTOR[method])))
  const canResetPassword = carried.includes(true)
  const before = overDefaults(settings).passwordExpiration
  return changedExpiration(before, update.passwordExpiration, { now: unit.now, canResetPassword })
}

/** Throws 422 for users who do not exist; one who was named before may have been deleted since, so that what was read can be sent back. */
const assertExempt = async (
  unit: Unit,
  { singleSignOnExemptUserIds: named = [] }: Update,
  before: SignInSettings,
): Promise<void> => {
  const added = named.filter((id) => !before.singleSignOnExemptUserIds.includes(id))
  await holdReferencedRows(unit, 'users', added, 'singleSignOnExemptUserIds')
}

/** Changes the settings; stores what differs from the defaults. Throws 400 and 422, see above. */
export const updateSignInExperience = operation([], async (unit, update: Update): Promise<SignInSettings> => {
  const { tx, tenant, changed } = unit
  assertFeatures(update)
  await assertLanguage(unit, update)
  assertBlocklistFormat(update.emailBlocklistPolicy ?? {})
  await tx
    .insertInto('sign_in_experiences')
    .values({ tenant_id: tenant.id, settings: '{}' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { settings } = await tx
    .selectFrom('sign_in_experiences')
    .select('settings')
    .where(inTenant(tenant.id))
    .forUpdate()
    .executeTakeFirstOrThrow()
  const proposed = changedSettings(settings, normalized(update))
  const experience = { ...proposed, passwordExpiration: await expirationAfter(unit, settings, proposed, update) }
  await assertSignUpFields(unit, update.signUpProfileFields)
  if (update.signUp) assertProvable(experience.signUp)
  await assertExempt(unit, update, overDefaults(settings))
  await assertConnectors(unit, update, experience, overDefaults(settings))
  assertCoherent(experience)
  assertFactors(experience, update)

  assertAdaptable(experience)
  assertFieldNames(experience.signUpProfileFields)
  assertSecondary(experience.signUp)
  if (overDefaults(settings).usernamePolicy.caseSensitive && !experience.usernamePolicy.caseSensitive)
    await ignoreCaseOfNames(unit)
  const defaults: Readonly<Record<string, unknown>> = { ...DEFAULT_EXPERIENCE }
  const kept = Object.entries(experience).filter(([name, value]) => !isDeepStrictEqual(value, defaults[name]))
  await tx
    .updateTable('sign_in_experiences')
    .set({ settings: JSON.stringify(Object.fromEntries(kept)) })
    .where(inTenant(tenant.id))
    .execute()
  unit.concerns('signInExperience', 'default', {
    before: { ...changedSettings(settings, {}) },
    after: { ...experience },
  })
  changed(EXPERIENCE_TAG)
  return experience
})

/** Records that a password was checked against the policy; not which one. */
export const passwordChecked = operation([], async (): Promise<void> => undefined)
