/** Times and numbers in the language of the console. */
import { currentLanguage, isolated } from './languages.ts'

const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** A format is dear to make and cheap to use, and the language stays the same as long as the page. */
const once = <Format>(make: () => Format): (() => Format) => {
  let made: Format | undefined
  return () => {
    made ??= make()
    return made
  }
}

const relative = once(() => new Intl.RelativeTimeFormat(currentLanguage(), { numeric: 'auto' }))
const moments = once(() => new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium', timeStyle: 'medium' }))
const times = once(() => new Intl.DateTimeFormat(currentLanguage(), { timeStyle: 'short' }))
const numbers = once(() => new Intl.NumberFormat(currentLanguage()))

/**
 * Makes the formats that screens use while nothing else is to do: the first of each kind takes as long as a list of thirty rows. Each in
 * a task of its own, so that the page answers in between. The language must be known.
 */
export const prepareFormats = (): void => {
  for (const make of [numbers, relative, moments, times]) setTimeout(make)
}

/** "3 minutes ago". @param at milliseconds since 1970 */
export const ago = (at: number, now = Date.now()): string => {
  const seconds = Math.round((at - now) / 1000)
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return relative().format(Math.trunc(seconds / size), unit)
}

/** "Nov 22, 2026, 10:24:07 PM". @param at milliseconds since 1970 */
export const moment = (at: number): string => moments().format(at)

/** "10:24 PM". @param at milliseconds since 1970 */
export const time = (at: number): string => times().format(at)

export const number = (value: number): string => numbers().format(value)

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** "12.4 MB". @param bytes how many */
export const size = (bytes: number): string => {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), SIZES.length - 1)
  const format = new Intl.NumberFormat(currentLanguage(), {
    style: 'unit',
    unit: SIZES[power] ?? 'byte',
    maximumFractionDigits: 1,
  })
  return isolated(format.format(bytes / 1000 ** power))
}
