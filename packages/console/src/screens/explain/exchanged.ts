/** What an exchange can begin with, as the address of the screen names it; a sign-in is none of them. */
export const EXCHANGED = ['access_token', 'subject_token', 'personal_access_token'] as const

export type Exchanged = (typeof EXCHANGED)[number]

/** Undefined for anything else. */
export const exchangedOf = (value: unknown): Exchanged | undefined => EXCHANGED.find((each) => each === value)
