/**
 * The domain of an email address: which text is one, and in which forms it is compared. Mail goes to the form in ASCII
 * (RFC 5891), to which UTS 46 brings very many texts: any run of invisible marks, letters of full width, letters in circles.
 */
import { domainToASCII, domainToUnicode } from 'node:url'

/** Anything else would make an address of it, of which the conversion keeps the host. */
const WRITTEN = /^[\p{L}\p{N}\p{M}.-]+$/u
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The form in which a domain is kept and compared: lower case, other scripts in ASCII (RFC 3492). Undefined when the text
 * is no domain name of at least two labels.
 */
export const emailDomainKey = (text: string): string | undefined => {
  const written = text.trim().normalize('NFC')
  const domain = WRITTEN.test(written) ? domainToASCII(written) : ''
  const labels = domain.split('.')
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
  return isName && domain.length <= 128 ? domain : undefined
}

/** Letter by letter: what a letter becomes must not depend on where in the name it stands. */
const lowerCase = (text: string): string =>
  Array.from(text, (letter) => letter.toLowerCase())
    .join('')
    .normalize('NFC')

/**
 * A domain in its own script and in lower case: the same for every way in which it may be written, which are that, ASCII
 * (`xn--…`), and either in any case. Undefined when the text is no domain name, or one that UTS 46 changes beyond that: it
 * would be compared as one domain and mailed as another.
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
