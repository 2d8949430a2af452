/**
 * What a person has proved and entered in an interaction, step by step, before it is submitted (SECURITY R-27): bound to
 * the interaction it is kept in, to an identifier, and to a user. It holds hashes of passwords and never a password.
 */
import type { Identifier } from '../credentials/identifiers.ts'
import type { StoredPassword } from '../credentials/passwords.ts'
import type { UserFields } from '../users/fields.ts'

export type InteractionEvent = 'SignIn' | 'Register' | 'ForgotPassword'

/** What a code is for: what the interaction is, or an address that a user who signs in adds to their account. */
export type CodeUsage = InteractionEvent | 'BindNewIdentifier'

/** A proof that someone knows the password of a user. */
export interface PasswordRecord {
  readonly type: 'Password'
  readonly id: string
  readonly identifier: Identifier
  readonly userId: string
  /** Of the password that was proved: another password since then voids the proof. */
  readonly evidence: string
}

/** A name and a password that someone wants to register with. */
export interface NewPasswordIdentityRecord {
  readonly type: 'NewPasswordIdentity'
  readonly id: string
  readonly identifier: Identifier
  readonly password: StoredPassword
}

/** A code that was sent to an address, and whether it came back. Its id is that of the code. */
export interface EmailVerificationCodeRecord {
  readonly type: 'EmailVerificationCode'
  readonly id: string
  readonly identifier: { readonly type: 'email'; readonly value: string }
  readonly templateType: CodeUsage
  /** Who adds the address, where that is what it is for: no one else may, in this interaction either (SECURITY R-27). */
  readonly userId?: string
  readonly verified: boolean
}

/** Whatever can be proved; each way of proving adds its own kind here. One record of a kind is kept, the newest. */
export type VerificationRecord = PasswordRecord | NewPasswordIdentityRecord | EmailVerificationCodeRecord

/** Who signs in, and how they proved it. */
export interface Identified {
  readonly userId: string
  /** RFC 8176. */
  readonly amr: readonly string[]
  /** Of a password, if that was the proof. */
  readonly evidence?: string
  /** The address, if that it is theirs was the proof: it must still be when the proof is used. */
  readonly identifier?: Identifier
}

/** What a user has entered about themselves. */
export type DraftFields = Pick<UserFields, 'username' | 'primaryEmail' | 'primaryPhone' | 'name' | 'avatar' | 'profile'>

export interface Draft {
  readonly interactionEvent: InteractionEvent
  readonly verificationRecords: readonly VerificationRecord[]
  /** The user of a sign-in or of a forgotten password. */
  readonly identified?: Identified
  /** At registration: that what is there was found to be enough for an account. */
  readonly isReady?: boolean
  readonly profile: DraftFields
  /** A password that was chosen. */
  readonly password?: StoredPassword
}
