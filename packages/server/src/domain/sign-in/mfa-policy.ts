/**
 * What second factors a sign-in or a registration still needs: a pure function of the settings, of what the user has and has
 * decided, and of what was proved and set up in the interaction. The only place that decides it.
 */
import type { FactorChoices } from '../factors/choices.ts'
import type { FactorType } from '../factors/factors.ts'
import type { MfaPolicy, MfaSettings } from './experience.ts'

export interface MfaCircumstances {
  readonly event: 'SignIn' | 'Register'
  readonly mfa: MfaSettings
  /** That the user has and the settings allow. */
  readonly own: readonly FactorType[]
  /** That were set up in this interaction. */
  readonly added: readonly FactorType[]
  /** Whether one of their own was proved in this interaction. */
  readonly isProved: boolean
  readonly choices: FactorChoices
  /** Whether the request, or an organization of the user, demands a second factor whatever the policy says. */
  readonly isDemanded: boolean
  /** Whether a passkey signs users in, this one has none, and nothing speaks against making one. */
  readonly couldHavePasskey: boolean
  /** Whether the device is one that the user trusts, and may stand for a factor in this request. */
  readonly isTrustedDevice: boolean
  /** Whether a factor is asked for only where a sign-in is unusual: what the policy says is then about setting one up. */
  readonly isAdaptive: boolean
  /** Whether this sign-in is. */
  readonly isUnusual: boolean
}

/** What is needed, as the error that says so. */
export interface NeededFactor {
  readonly code:
    | 'session.mfa.require_mfa_verification'
    | 'user.passkey_preferred'
    | 'user.missing_mfa'
    | 'user.suggest_mfa'
    | 'session.mfa.backup_code_required'
    | 'session.mfa.suggest_additional_mfa'
  /** Of which one has to be proved, or can be set up. */
  readonly availableFactors: readonly FactorType[]
  /** Whether the user may go on without. */
  readonly skippable: boolean
}

const MANDATORY: ReadonlySet<MfaPolicy> = new Set([
  'Mandatory',
  'PromptAtSignInAndSignUpMandatory',
  'PromptOnlyAtSignInMandatory',
])
/** Whether no one may skip it. */
export const isMandatory = (policy: MfaPolicy): boolean => MANDATORY.has(policy)
const ONLY_AT_SIGN_IN: ReadonlySet<MfaPolicy> = new Set(['PromptOnlyAtSignIn', 'PromptOnlyAtSignInMandatory'])

/** Factors that come with an address, and that are weaker than others: who has them is asked for another one, too. */
const IMPLICIT: ReadonlySet<FactorType> = new Set(['EmailVerificationCode', 'PhoneVerificationCode'])

const needsProof = (circumstances: MfaCircumstances): boolean => {
  const { event, mfa, own, isProved, choices, isDemanded, isTrustedDevice, isAdaptive, isUnusual } = circumstances
  if (event === 'Register' || isProved || own.length === 0) return false
  // whoever has stolen a trusted device, too, is asked
  if (isUnusual) return true
  if (isTrustedDevice) return false
  const isWaived = choices.enabled === false || choices.skipMfaOnSignIn === true
  return isDemanded || (!isAdaptive && (isMandatory(mfa.policy) || !isWaived))
}

/** Whether the policy asks now for a factor to be set up. */
const asksToSetUp = ({ event, mfa: { policy }, isDemanded }: MfaCircumstances): boolean => {
  if (isDemanded) return true
  if (policy === 'NoPrompt') return false
  return event === 'SignIn' || !ONLY_AT_SIGN_IN.has(policy)
}

const toSetUp = (circumstances: MfaCircumstances): NeededFactor | undefined => {
  const { mfa, own, added, choices, isDemanded } = circumstances
  const has = new Set([...own, ...added])
  const others = mfa.factors.filter((type) => type !== 'BackupCode' && !has.has(type))
  const skippable = !isDemanded && !isMandatory(mfa.policy)
  const isWithout = ![...has].some((type) => type !== 'BackupCode')
  if (isWithout && others.length > 0 && asksToSetUp(circumstances)) {
    if (!skippable) return { code: 'user.missing_mfa', availableFactors: others, skippable }
    if (choices.skipped || choices.enabled === false) return undefined
    const code = choices.enabled ? 'user.missing_mfa' : 'user.suggest_mfa'
    return { code, availableFactors: others, skippable }
  }
  // codes that help when the new factor is lost
  if (added.some((type) => !IMPLICIT.has(type)) && mfa.factors.includes('BackupCode') && !has.has('BackupCode'))
    return { code: 'session.mfa.backup_code_required', availableFactors: ['BackupCode'], skippable: false }
  const isImplicitAlone = !isWithout && [...has].every((type) => type === 'BackupCode' || IMPLICIT.has(type))
  const stronger = others.filter((type) => !IMPLICIT.has(type))
  if (
    isImplicitAlone &&
    stronger.length > 0 &&
    asksToSetUp(circumstances) &&
    !choices.additionalBindingSuggestionSkipped
  )
    return { code: 'session.mfa.suggest_additional_mfa', availableFactors: stronger, skippable: true }
  return undefined
}

/** What has to happen before the user is let in; undefined: nothing. A factor is proved before one is set up. */
export const neededFactor = (circumstances: MfaCircumstances): NeededFactor | undefined => {
  const { mfa, own, isProved, couldHavePasskey, choices } = circumstances
  if (needsProof(circumstances))
    return { code: 'session.mfa.require_mfa_verification', availableFactors: own, skippable: false }
  // an account with factors gets another one only after one of them was proved
  if (couldHavePasskey && !choices.passkeySkipped && (own.length === 0 || isProved))
    return { code: 'user.passkey_preferred', availableFactors: ['WebAuthn'], skippable: true }
  return mfa.factors.length === 0 ? undefined : toSetUp(circumstances)
}
