/**
 * What a user has verified and entered in an interaction, step by step, before it is submitted (SECURITY R-27):
 * bound to its interaction, to an identifier, and to a user. It contains hashes of passwords but never a password.
 */
import type { OneTimeTokenContext } from '@countersign/contract/one-time-tokens.ts'
import type { Identifier } from '../credentials/identifiers.ts'
import type { StoredPassword } from '../credentials/passwords.ts'
import type { FactorChoices } from '../factors/choices.ts'
import type { NewCredential } from '../factors/passkeys.ts'
import type { EnterpriseAccount, FederatedAccount } from '../federation/provider.ts'
import type { UserFields } from '../users/fields.ts'
import type { SsoAccount } from '../users/sso-identities.ts'
import type { NeededFactor } from './mfa-policy.ts'

export type InteractionEvent = 'SignIn' | 'Register' | 'ForgotPassword'

/**
 * The purpose of a code: that of the interaction, an address that a user adds to their account, as such or as a second
 * factor, or the proof of that factor.
 */
export type CodeUsage = InteractionEvent | 'BindNewIdentifier' | 'BindMfa' | 'MfaVerification'

/** What a code can be sent to. */
export interface Address {
  readonly type: 'email' | 'phone'
  readonly value: string
}

/** A proof that the caller knows a user's password. */
export interface PasswordRecord {
  readonly type: 'Password'
  readonly id: string
  readonly identifier: Identifier
  readonly userId: string
  /** Of the verified password: a later change of the password voids the proof. */
  readonly evidence: string
}

/** A name and a password for registration. */
export interface NewPasswordIdentityRecord {
  readonly type: 'NewPasswordIdentity'
  readonly id: string
  readonly identifier: Identifier
  readonly password: StoredPassword
}

interface SentCode {
  /** That of the code. */
  readonly id: string
  readonly identifier: Address
  /** Milliseconds since the epoch. Undefined: sent by an earlier version. */
  readonly sentAt?: number
  readonly verified: boolean
}

/** A code that was sent to an address or a number, and whether it came back. */
export interface CodeRecord extends SentCode {
  readonly type: 'EmailVerificationCode' | 'PhoneVerificationCode'
  readonly templateType: Exclude<CodeUsage, 'MfaVerification'>
  /**
   * The user who adds the address, if that is its purpose: no one else may, even in this interaction (SECURITY R-27).
   */
  readonly userId?: string
}

/** A code that was sent to the user who signs in, as a second factor. */
export interface FactorCodeRecord extends SentCode {
  readonly type: 'MfaEmailVerificationCode' | 'MfaPhoneVerificationCode'
  readonly templateType: 'MfaVerification'
  readonly userId: string
}

/** A TOTP: that of the user, proved by a code, or one that is being set up, whose secret is new. */
export interface TotpRecord {
  readonly type: 'Totp'
  /** Of the factor, where it is a new one. */
  readonly id: string
  /** Whose it is; not known where an account is registered. */
  readonly userId?: string
  /** Of a new one, sealed, in base64. */
  readonly sealedSecret?: string
  /** Of a new one that was proved: the time step of the code, which cannot be used again. */
  readonly usedStep?: number
  /** The factor of the account that was proved. */
  readonly factorId?: string
  readonly verified: boolean
}

/** A passkey: of the user's own, proved, or one that is being made. */
export interface WebAuthnRecord {
  readonly type: 'WebAuthn'
  /** Of the factor, where it is a new one. */
  readonly id: string
  readonly userId?: string
  readonly isNew: boolean
  /** Of a new one, once it was made. */
  readonly credential?: NewCredential
  /** The factor of the account that was proved. */
  readonly factorId?: string
  readonly verified: boolean
}

/** A passkey that says who signs in. */
export interface SignInPasskeyRecord {
  readonly type: 'SignInPasskey'
  readonly id: string
  readonly userId?: string
  /** The factor of the account that was proved. */
  readonly factorId?: string
  readonly verified: boolean
}

/** A backup code of the user that was used, or new codes that were shown. */
export interface BackupCodeRecord {
  readonly type: 'BackupCode'
  /** Of the factor, where it is a new one. */
  readonly id: string
  readonly userId?: string
  /** Of new codes, in base64. */
  readonly macs?: readonly string[]
  /** The factor of the account that was proved. */
  readonly factorId?: string
  readonly verified: boolean
}

/** The token of a link that was sent to an address, used up. Its id is that of the token. */
export interface OneTimeTokenRecord {
  readonly type: 'OneTimeToken'
  readonly id: string
  readonly identifier: { readonly type: 'email'; readonly value: string }
  /** What it is for, and what comes with it. */
  readonly context: OneTimeTokenContext
  readonly verified: true
}

/** An account at a provider elsewhere: what the provider said, once the user has come back. */
export interface SocialRecord {
  readonly type: 'Social'
  readonly id: string
  readonly connectorId: string
  readonly target: string
  readonly account?: FederatedAccount
  /** Whether name and picture are taken over at a sign-in. */
  readonly syncProfile?: boolean
  /** The tokens that the provider issued, where they are kept; sealed for this account, in base64. */
  readonly sealedTokens?: string
}

/** A proved account at a provider. */
export type SocialAccount = Required<Pick<SocialRecord, 'connectorId' | 'target' | 'account'>> &
  Pick<SocialRecord, 'sealedTokens'>

/** An account at the identity provider of a company: what it said, once the user has come back. */
export interface EnterpriseSsoRecord {
  readonly type: 'EnterpriseSso'
  readonly id: string
  readonly connectorId: string
  readonly account?: EnterpriseAccount
  /** The organization that the connector belongs to. */
  readonly organizationId?: string
  /** Whether name and picture are taken over at a sign-in. */
  readonly syncProfile?: boolean
  /** As those of a social account. */
  readonly sealedTokens?: string
  /** The ID token, where it is kept; sealed for this account, in base64. */
  readonly sealedIdToken?: string
}

/** Whatever can be proved; each way of proving adds its own kind here. One record of a kind is kept, the newest. */
export type VerificationRecord =
  | PasswordRecord
  | NewPasswordIdentityRecord
  | CodeRecord
  | FactorCodeRecord
  | TotpRecord
  | WebAuthnRecord
  | SignInPasskeyRecord
  | BackupCodeRecord
  | OneTimeTokenRecord
  | SocialRecord
  | EnterpriseSsoRecord

/** A factor that the account gets when the interaction is submitted. */
export type NewFactor =
  | { readonly type: 'Totp'; readonly id: string; readonly sealedSecret: string; readonly usedStep: number }
  | { readonly type: 'BackupCode'; readonly id: string; readonly macs: readonly string[] }
  | {
      readonly type: 'WebAuthn'
      readonly id: string
      readonly credential: NewCredential
      /** Made to sign in with: it says nothing about whether the user wants second factors. */
      readonly isForSignIn?: boolean
    }

/** Who signs in, and how they proved it. */
export interface Identified {
  readonly userId: string
  /** RFC 8176. */
  readonly amr: readonly string[]
  /** The mark of a password, if that was the proof. */
  readonly evidence?: string
  /** Of a passkey, if that was the proof: the account must still have it. */
  readonly factorId?: string
  /** The address or number, if owning it was the proof: it must still be theirs when the proof is used. */
  readonly identifier?: Address
  /** The account at a provider, if that was the proof: it must still be theirs. */
  readonly identity?: { readonly target: string; readonly userId: string }
  /** The account at the identity provider of a company, if that was the proof: it must still be theirs. */
  readonly ssoAccount?: SsoAccount
  /** The organizations that the user joins by this sign-in. */
  readonly organizationIds?: readonly string[]
}

/** What a user has entered about themselves. */
export type DraftFields = Pick<
  UserFields,
  'username' | 'primaryEmail' | 'primaryPhone' | 'name' | 'avatar' | 'profile' | 'customData'
>

export interface Draft {
  readonly interactionEvent: InteractionEvent
  /** Whether a captcha was passed: it holds until a guess fails. */
  readonly isHuman?: boolean
  readonly verificationRecords: readonly VerificationRecord[]
  /** The user of a sign-in or of a forgotten password. */
  readonly identified?: Identified
  /** At registration: the data was found to be sufficient for an account. */
  readonly isReady?: boolean
  readonly profile: DraftFields
  /** At registration: the fields of the profile were answered, and the required ones have values. */
  readonly hasAnsweredFields?: boolean
  /** An account at a provider that becomes theirs. */
  readonly socialAccount?: SocialAccount
  /** An account at the identity provider of a company that becomes theirs. */
  readonly ssoAccount?: SsoAccount
  /** A password that was chosen. */
  readonly password?: StoredPassword
  /** Factors that were set up. */
  readonly newFactors?: readonly NewFactor[]
  /** What was decided about second factors. */
  readonly factorChoices?: FactorChoices
  /** What second factor the user was asked for at the end of the last step, for the page that shows it; it decides nothing. */
  readonly needed?: NeededFactor
  /** What is unusual about the sign-in, if anything is: the rules of adaptive MFA that apply. */
  readonly unusual?: readonly string[]
  /** Whether the device is to be trusted from now on. */
  readonly isDeviceTrusted?: boolean
}
