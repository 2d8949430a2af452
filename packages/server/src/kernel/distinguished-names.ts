/** Distinguished names: read from their text (RFC 4514), and compared (RFC 4517, as RFC 5280 section 7.1 has it for certificates). */

/** One attribute: its type as an object identifier, and its value as text. */
export interface NameAttribute {
  readonly type: string
  readonly value: string
}

/** From the root on, as a certificate has them; usually one attribute each. */
export type DistinguishedName = readonly (readonly NameAttribute[])[]

/** RFC 4514 section 3, RFC 4519, and what certificates have besides. */
const TYPES: Readonly<Record<string, string>> = {
  CN: '2.5.4.3',
  SN: '2.5.4.4',
  SERIALNUMBER: '2.5.4.5',
  C: '2.5.4.6',
  L: '2.5.4.7',
  ST: '2.5.4.8',
  STREET: '2.5.4.9',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  T: '2.5.4.12',
  TITLE: '2.5.4.12',
  BUSINESSCATEGORY: '2.5.4.15',
  POSTALCODE: '2.5.4.17',
  GN: '2.5.4.42',
  GIVENNAME: '2.5.4.42',
  INITIALS: '2.5.4.43',
  DNQUALIFIER: '2.5.4.46',
  PSEUDONYM: '2.5.4.65',
  ORGANIZATIONIDENTIFIER: '2.5.4.97',
  UID: '0.9.2342.19200300.100.1.1',
  DC: '0.9.2342.19200300.100.1.25',
  E: '1.2.840.113549.1.9.1',
  EMAILADDRESS: '1.2.840.113549.1.9.1',
}
/** The first name of each. */
const NAMES = new Map(
  Object.entries(TYPES)
    .toReversed()
    .map(([name, type]) => [type, name]),
)

const typeOf = (text: string): string | undefined => {
  const upper = text.trim().toUpperCase()
  if (/^\d+(\.\d+)+$/.test(upper)) return upper
  return Object.hasOwn(TYPES, upper) ? TYPES[upper] : undefined
}

/** An escaped character, or bytes of UTF-8 in hexadecimal; and what needs no escape. */
const TOKEN = /((?:\\[0-9a-fA-F]{2})+)|\\([ "#+,;<=>\\])|([^"+,;<>\\\0])/uy

/** The value at a place of the text, and where it ends; undefined: there is none that RFC 4514 permits. */
const valueAt = (text: string, from: number): readonly [value: string, end: number] | undefined => {
  const parts: string[] = []
  // how much of the value a space at its end is not part of
  let [length, at] = [0, from]
  while (at < text.length && text[at] !== ',' && text[at] !== '+') {
    TOKEN.lastIndex = at
    const [whole, hex, escaped, plain] = TOKEN.exec(text) ?? []
    if (whole === undefined) return undefined
    at += whole.length
    if (plain === ' ' && parts.length === 0) continue
    const decoded = hex === undefined ? (escaped ?? plain) : utf8(hex)
    if (decoded === undefined) return undefined
    parts.push(decoded)
    if (plain !== ' ') length = parts.length
  }
  return [parts.slice(0, length).join(''), at]
}

const utf8 = (hex: string): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(hex.replaceAll('\\', ''), 'hex'))
  } catch {
    return undefined
  }
}

/**
 * Reads a name as RFC 4514 writes it, the most specific part first: `CN=Worker 1,O=Example,C=DE`. Spaces around its parts mean nothing.
 * Undefined: it is none, it is empty, or it has an attribute whose type is neither known nor an object identifier, or whose value is
 * written in hexadecimal (`#`).
 */
export const parseDistinguishedName = (text: string): DistinguishedName | undefined => {
  const name: NameAttribute[][] = [[]]
  let at = 0
  while (at <= text.length) {
    const equals = text.indexOf('=', at)
    const type = equals < 0 ? undefined : typeOf(text.slice(at, equals))
    if (type === undefined || /^ *#/.test(text.slice(equals + 1))) return undefined
    const read = valueAt(text, equals + 1)
    if (read === undefined) return undefined
    const [value, end] = read
    name.at(-1)?.push({ type, value })
    if (text[end] === ',') name.push([])
    at = end + 1
  }
  return name.toReversed()
}

const escaped = (value: string): string =>
  value.replaceAll(/[",+;<>\\]|^[ #]| $/g, (character) => `\\${character}`).replaceAll('\0', '\\00')

/** The name as RFC 4514 writes it. */
export const writeDistinguishedName = (name: DistinguishedName): string =>
  name
    .toReversed()
    .map((part) => part.map(({ type, value }) => `${NAMES.get(type) ?? type}=${escaped(value)}`).join('+'))
    .join(',')

/** Case and the amount of white space mean nothing (RFC 4518). */
const prepared = ({ type, value }: NameAttribute): string =>
  `${type}=${value.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim()}`

/** A name in a form in which equal ones are the same text. */
const comparable = (name: DistinguishedName): string =>
  JSON.stringify(name.map((part) => part.map(prepared).toSorted()))

/** Whether two names are the same: part by part in their order, and within a part in any order. */
export const isSameName = (one: DistinguishedName, other: DistinguishedName): boolean =>
  comparable(one) === comparable(other)
