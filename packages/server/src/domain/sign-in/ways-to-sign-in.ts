/** Whether the user of an account can sign in with the methods that the tenant offers (DECISIONS T4, T12). */
import type { Factor } from '../factors/factors.ts'
import { identityAt } from '../users/identities.ts'
import type { UserRow } from '../users/rows.ts'
import type { SignInExperience } from './experience.ts'
import { codeIdentifiers, passwordIdentifiers } from './rules.ts'

/** The columns that users sign in with. */
export type WaysOfAccount = Pick<
  UserRow,
  'username' | 'primary_email' | 'primary_phone' | 'password_hash' | 'identities'
>

/** What signs in a user beside them. */
export interface OtherWays {
  readonly factors: readonly Factor[]
  readonly hasSsoIdentity: boolean
}

const COLUMN = { username: 'username', email: 'primary_email', phone: 'primary_phone' } as const

/** Whether there is a way at all. A linked account is one while its connector is offered. */
export const canSignIn = (
  account: WaysOfAccount,
  { factors, hasSsoIdentity }: OtherWays,
  experience: SignInExperience,
): boolean =>
  (experience.singleSignOnEnabled && hasSsoIdentity) ||
  experience.socialConnectors.some(({ target }) => identityAt(account, target) !== undefined) ||
  codeIdentifiers(experience).some((type) => account[COLUMN[type]] !== null) ||
  (account.password_hash !== null && passwordIdentifiers(experience).some((type) => account[COLUMN[type]] !== null)) ||
  (experience.passkeySignIn.enabled && factors.some(({ type }) => type === 'WebAuthn'))
