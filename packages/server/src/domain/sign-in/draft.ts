/**
 * What a user has verified and entered in an interaction, step by step, before it is submitted (SECURITY R-27):
 * bound to its interaction, to an identifier, and to a user. It contains hashes of passwords but never a password.
 */
import type { Identifier } from '../credentials/identifiers.ts'
import type { StoredPassword } from '../credentials/passwords.ts'
import type { UserFields } from '../users/fields.ts'

export type InteractionEvent = 'SignIn' | 'Register' | 'ForgotPassword'

/** The purpose of a code: that of the interaction, or an address that a user who signs in adds to their account. */
export type CodeUsage = InteractionEvent | 'BindNewIdentifier'

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

/** A code that was sent to an address, and whether it came back. Its id is that of the code. */
export interface EmailVerificationCodeRecord {
  readonly type: 'EmailVerificationCode'
  readonly id: string
  readonly identifier: { readonly type: 'email'; readonly value: string }
  readonly templateType: CodeUsage
  /**
   * The user who adds the address, if that is its purpose: no one else may, even in this interaction (SECURITY R-27).
   */
  readonly userId?: string
  readonly verified: boolean
}

/** Everything that can be verified; each method adds its own kind here. One record of each kind is kept, the newest. */
export type VerificationRecord = PasswordRecord | NewPasswordIdentityRecord | EmailVerificationCodeRecord

/** Who signs in, and how they proved it. */
export interface Identified {
  readonly userId: string
  /** RFC 8176. */
  readonly amr: readonly string[]
  /** The mark of a password, if that was the proof. */
  readonly evidence?: string
  /** The address, if owning it was the proof: it must still be theirs when the proof is used. */
  readonly identifier?: Identifier
}

/** What a user has entered about themselves. */
export type DraftFields = Pick<UserFields, 'username' | 'primaryEmail' | 'primaryPhone' | 'name' | 'avatar' | 'profile'>

export interface Draft {
  readonly interactionEvent: InteractionEvent
  readonly verificationRecords: readonly VerificationRecord[]
  /** The user of a sign-in or of a forgotten password. */
  readonly identified?: Identified
  /** At registration: the data was found to be sufficient for an account. */
  readonly isReady?: boolean
  readonly profile: DraftFields
  /** A password that was chosen. */
  readonly password?: StoredPassword
}
