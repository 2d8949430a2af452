/** Dates as fields of profiles have them: a calendar day, written in the format of the field. */

const TOKENS = { yyyy: 'year', MM: 'month', M: 'month', dd: 'day', d: 'day' } as const
type Token = keyof typeof TOKENS
const DIGITS: Readonly<Record<Token, string>> = {
  yyyy: '(\\d{4})',
  MM: '(\\d{2})',
  M: '(\\d{1,2})',
  dd: '(\\d{2})',
  d: '(\\d{1,2})',
}

const isToken = (text: string): text is Token => Object.hasOwn(TOKENS, text)

/** The tokens of a format and what is between them; undefined unless it has a year, a month and a day, once each. */
const partsOf = (format: string): string[] | undefined => {
  const parts: string[] = format.match(/[A-Za-z]+|[^A-Za-z]+/g) ?? []
  const isKnown = parts.every((part) => isToken(part) || /^[^A-Za-z]/.test(part))
  const named = parts.filter(isToken).map((part) => TOKENS[part])
  return isKnown && named.toSorted().join() === 'day,month,year' ? parts : undefined
}

/** Whether dates can be written and read in this format: `yyyy`, `MM`, `dd`, `M` and `d` with no other letters. */
export const isDateFormat = (format: string): boolean => partsOf(format) !== undefined

const isDay = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(2000, month - 1, day))
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** The day of a text in the format, as `yyyy-MM-dd`; undefined if it is none. */
export const readDate = (text: string, format: string): string | undefined => {
  const parts = partsOf(format)
  if (!parts) return undefined
  const pattern = parts.map((part) => (isToken(part) ? DIGITS[part] : part.replace(/[^\w\s]/g, '\\$&'))).join('')
  const [, ...digits] = new RegExp(`^${pattern}$`).exec(text) ?? []
  const names = parts.filter(isToken).map((part) => TOKENS[part])
  const found = Object.fromEntries(names.map((name, index) => [name, Number(digits[index])]))
  const { year = 0, month = 0, day = 0 } = found
  if (digits.length !== names.length || !isDay(year, month, day)) return undefined
  return [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
}

/** A day in the format. @param iso as readDate gives it */
export const writeDate = (iso: string, format: string): string => {
  const [year = '', month = '', day = ''] = iso.split('-')
  const values = { year, month, day }
  const written = (part: string) => {
    if (!isToken(part)) return part
    const value = values[TOKENS[part]]
    return part.length === 1 ? String(Number(value)) : value
  }
  return (partsOf(format) ?? []).map(written).join('')
}
