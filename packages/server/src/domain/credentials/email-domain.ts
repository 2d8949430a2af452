/**
 * The domain of an email address: what is valid, and in which forms it is compared. Mail goes to the ASCII form (RFC
 * 5891), to which UTS 46 maps very many strings: any run of invisible marks, full-width letters, circled letters.
 */
import { domainToASCII, domainToUnicode } from 'node:url'

/** Anything else would turn it into a URL, of which the conversion keeps only the host. */
const WRITTEN = /^[\p{L}\p{N}\p{M}.-]+$/u
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The form in which a domain is stored and compared: lower case, other scripts in ASCII (RFC 3492). Undefined if the
 * string is not a domain name of at least two labels.
 */
export const emailDomainKey = (text: string): string | undefined => {
  const written = text.trim().normalize('NFC')
  const domain = WRITTEN.test(written) ? domainToASCII(written) : ''
  const labels = domain.split('.')
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
  return isName && domain.length <= 128 ? domain : undefined
}

/** Letter by letter: the mapping of a letter must not depend on its position in the name. */
const lowerCase = (text: string): string =>
  Array.from(text, (letter) => letter.toLowerCase())
    .join('')
    .normalize('NFC')

/**
 * A domain in its own script and in lower case: the same for every allowed spelling, in that form or in ASCII
 * (`xn--…`), in any case. Undefined if the string is not a domain name, or is one that UTS 46 changes further, because
 * it would be compared as one domain and mailed as another.
 */
export const unicodeDomain = (text: string): string | undefined => {
  const ascii = emailDomainKey(text)
  if (ascii === undefined) return undefined
  const unicode = domainToUnicode(ascii)
  const [inAscii, inUnicode] = [ascii.split('.'), unicode.split('.')]
  const written = text.normalize('NFC').split('.')
  const isPlain = (label: string, index: number) =>
    label === inUnicode[index] || [inAscii[index], inUnicode[index]].includes(lowerCase(label))
  return written.length === inAscii.length && written.every(isPlain) ? unicode : undefined
}

/** The domain of an email address, in the form of emailDomainKey. */
export const domainOfAddress = (address: string): string | undefined =>
  emailDomainKey(address.slice(address.lastIndexOf('@') + 1))
