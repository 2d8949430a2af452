/** Tables as text (RFC 4180): records in quotes or not, and the members of a user that columns stand for. */

export interface CsvRecord {
  /** The number of its first line in the file, from 1. */
  readonly line: number
  /** As it is in the file. */
  readonly raw: string
  readonly cells: readonly string[]
}

/** Reads records one after the other. Lines without anything in them are left out. @param separator of cells */
export async function* csvRecords(chunks: AsyncIterable<string>, separator: string): AsyncGenerator<CsvRecord> {
  let [raw, cell, isQuoted, wasQuote] = ['', '', false, false]
  let [line, startedAt] = [1, 1]
  let cells: string[] = []
  const end = (): CsvRecord => {
    const record = { line: startedAt, raw, cells: [...cells, cell] }
    ;[raw, cell, wasQuote, cells, startedAt] = ['', '', false, [], line]
    return record
  }
  const isEmpty = () => raw.trim() === ''
  for await (const chunk of chunks) {
    for (const letter of chunk) {
      if (letter === '\n') line += 1
      if (isQuoted && letter !== '"') {
        raw += letter
        cell += letter
      } else if (letter === '"') {
        // two quotes within quotes are one
        if (!isQuoted && wasQuote) cell += '"'
        wasQuote = isQuoted
        isQuoted = !isQuoted
        raw += letter
      } else if (letter === '\n') {
        if (isEmpty()) [raw, startedAt] = ['', line]
        else yield end()
      } else if (letter !== '\r') {
        raw += letter
        wasQuote = false
        if (letter === separator) {
          cells.push(cell)
          cell = ''
        } else cell += letter
      }
    }
  }
  if (!isEmpty()) yield end()
}

/** The separator of a table, by its first line. */
export const separatorOf = (head: string): string => {
  const first = head.split('\n', 1)[0] ?? ''
  const count = (separator: string) => first.split(separator).length
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best))
}

/** Into what a column is read. Values that are no texts: yes and no, a moment, several names. */
const KINDS: Readonly<Record<string, 'text' | 'boolean' | 'moment' | 'list' | 'json'>> = {
  id: 'text',
  username: 'text',
  primaryEmail: 'text',
  primaryPhone: 'text',
  name: 'text',
  avatar: 'text',
  password: 'text',
  passwordDigest: 'text',
  passwordAlgorithm: 'text',
  emailVerified: 'boolean',
  phoneVerified: 'boolean',
  isSuspended: 'boolean',
  createdAt: 'moment',
  lastSignInAt: 'moment',
  roleNames: 'list',
  'profile.givenName': 'text',
  'profile.familyName': 'text',
  'profile.birthdate': 'text',
  'profile.locale': 'text',
  'profile.zoneinfo': 'text',
  customData: 'json',
}

/** The members that a column can stand for. */
export const MEMBERS: readonly string[] = Object.keys(KINDS)
/** A column of its own name in the custom data. */
export const OWN = 'customData.*'

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')
const OTHER_NAMES: Readonly<Record<string, string>> = {
  email: 'primaryEmail',
  emailaddress: 'primaryEmail',
  mail: 'primaryEmail',
  phone: 'primaryPhone',
  phonenumber: 'primaryPhone',
  login: 'username',
  fullname: 'name',
  givenname: 'profile.givenName',
  firstname: 'profile.givenName',
  familyname: 'profile.familyName',
  lastname: 'profile.familyName',
  surname: 'profile.familyName',
  picture: 'avatar',
  suspended: 'isSuspended',
  roles: 'roleNames',
  passwordhash: 'passwordDigest',
}

/** What a column most likely stands for. */
export const memberFor = (column: string): string => {
  const name = plain(column)
  return MEMBERS.find((member) => plain(member) === name) ?? OTHER_NAMES[name] ?? OWN
}

const numberOr = (text: string): unknown => (/^\d+$/.test(text) ? Number(text) : text)

/** A value that cannot be read stays a text, which the server refuses with its reason. */
const typed = (kind: (typeof KINDS)[string], text: string): unknown => {
  if (kind === 'boolean') return /^(true|yes|1)$/i.test(text) || (/^(false|no|0)$/i.test(text) ? false : text)
  if (kind === 'list') return text.split(/[;|]/).map((each) => each.trim())
  if (kind === 'moment') return Number.isNaN(Date.parse(text)) || /^\d+$/.test(text) ? numberOr(text) : Date.parse(text)
  if (kind !== 'json') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The JSON of a user, of the cells that have something in them. @param members for each column; the empty text leaves it out */
export const userOf = (columns: readonly string[], members: readonly string[], cells: readonly string[]): string => {
  const user: Record<string, unknown> = {}
  for (const [at, member] of members.entries()) {
    const text = (cells[at] ?? '').trim()
    if (text === '' || member === '') continue
    const path = (member === OWN ? `customData.${columns[at]}` : member).split('.')
    const name = member === OWN ? path.slice(1).join('.') : path[1]
    const value = typed(KINDS[member] ?? 'text', text)
    const within = path[0] ?? ''
    if (name === undefined) user[within] = value
    else user[within] = { ...(user[within] as object | undefined), [name]: value }
  }
  return JSON.stringify(user)
}
