/** Ids and random values. All randomness in the server comes from here, from the operating system's generator. */
import { randomBytes } from 'node:crypto'
import { customAlphabet } from 'nanoid'

const lower = '0123456789abcdefghijklmnopqrstuvwxyz'

/** An id of anything but users and organizations: 21 characters of `[0-9a-z]`, 108 bits (DECISIONS B1). */
export const newId: () => string = customAlphabet(lower, 21)

/**
 * An id of a user: 12 characters of `[0-9a-z]`, 62 bits. Shorter than any other id, so that no client can have the same
 * one.
 */
export const newUserId: () => string = customAlphabet(lower, 12)

/** An id of an organization: as long as one of a user. */
export const newOrganizationId: () => string = customAlphabet(lower, 12)

/** A secret of 32 characters of `[0-9a-zA-Z]`, 190 bits: application secrets and the like. */
export const newSecret: () => string = customAlphabet(`${lower}ABCDEFGHIJKLMNOPQRSTUVWXYZ`, 32)

/**
 * A code that a user reads off a device and types: 8 letters from twenty, 34 bits. Consonants, so that it forms no
 * words, without letters that look alike (RFC 8628 section 6.1).
 */
export const newUserCode: () => string = customAlphabet('BCDFGHJKLMNPQRSTVWXZ', 8)

/** A code of decimal digits, each as likely as any other. */
export const newDigits = (length: number): string => customAlphabet('0123456789', length)()

/** A signing key in the format of Standard Webhooks: 32 bytes. */
export const newSigningKey = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Random bytes from the operating system. */
export const newBytes = (length: number): Buffer => randomBytes(length)
