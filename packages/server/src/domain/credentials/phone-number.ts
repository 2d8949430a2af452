/** Phone numbers: what is valid, and the digits that are stored (ITU-T E.164, without the plus sign; WIRE W1). */
import { lazyLibrary } from '../../kernel/lazy-library.ts'

const numbers = lazyLibrary<typeof import('libphonenumber-js/min')>('libphonenumber-js/min')

/** Digits, country code first, written with or without `+` or `00` and in groups. */
const WRITTEN = /^\s*\+?[\d\s().-]+$/
/** What E.164 allows in any country. */
const DIGITS = /^[1-9]\d{4,14}$/

/** The digits as written; undefined for a string that is not a number in any country. */
export const writtenDigits = (text: string): string | undefined => {
  const digits = WRITTEN.test(text) ? text.replace(/\D/g, '').replace(/^00/, '') : ''
  return DIGITS.test(digits) ? digits : undefined
}

/**
 * The digits dialled from abroad: `+49 (0)151 1234567` is 491511234567. Undefined for an unknown country code, and
 * for a number that is too short or too long for its country. Does not check whether the number is assigned or
 * its range is in use: ranges are opened more often than the metadata here is updated.
 */
export const phoneDigits = (text: string): string | undefined => {
  const digits = writtenDigits(text)
  if (digits === undefined) return undefined
  const number = numbers().parsePhoneNumberFromString(`+${digits}`, { extract: false })
  return number?.isPossible() ? number.number.slice(1) : undefined
}
