/** Whether a password is known from a breach, as the rules for new passwords ask it; where that is looked up is not known here. */

export interface PwnedPasswords {
  /** Whether the password is in the list. False where the list cannot be asked: that never keeps a user out. Never throws. */
  includes(password: string): Promise<boolean>
}

/** Of a process in which users choose no passwords. */
export const NO_PWNED_PASSWORDS: PwnedPasswords = { includes: async () => false }
