/** Phone numbers: which text is one, and the digits that are kept of it (ITU-T E.164, without the plus sign; WIRE W1). */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Digits, country code first, written with or without `+` or `00` and in groups. */
const WRITTEN = /^\s*\+?[\d\s().-]+$/
/** What E.164 allows in any country. */
const DIGITS = /^[1-9]\d{4,14}$/

/** The digits as they are written; undefined for text that is no number of any country. */
export const writtenDigits = (text: string): string | undefined => {
  const digits = WRITTEN.test(text) ? text.replace(/\D/g, '').replace(/^00/, '') : ''
  return DIGITS.test(digits) ? digits : undefined
}

/**
 * The digits that are dialled from abroad: `+49 (0)151 1234567` is 491511234567. Undefined for a country code that there is
 * not, and for a number that is too short or too long for its country. Whether the number is assigned to anyone is not asked,
 * nor whether its range is in use: ranges are opened more often than the metadata here is renewed.
 */
export const phoneDigits = (text: string): string | undefined => {
  const digits = writtenDigits(text)
  if (digits === undefined) return undefined
  const number = parsePhoneNumberFromString(`+${digits}`, { extract: false })
  return number?.isPossible() ? number.number.slice(1) : undefined
}
