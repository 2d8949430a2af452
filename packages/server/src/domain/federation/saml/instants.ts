/** Instants and durations as SAML writes them (saml-core-2.0-os, section 1.3.3; XML Schema Part 2). */

/** How much the clock of an identity provider may differ, in milliseconds. */
export const TOLERANCE_MS = 60_000

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)?$/

/** Milliseconds since 1970; undefined for what is no xs:dateTime. Without a time zone it is UTC, as SAML prescribes. */
export const instantOf = (text: string | null): number | undefined => {
  if (text === null || !INSTANT.test(text)) return undefined
  const at = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(at) ? undefined : at
}

const DURATION =
  /^P(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})(?:\.\d+)?S)?)?$/

/** Milliseconds of an xs:duration; undefined for what is none. Months have 30 days. */
export const durationOf = (text: string | null): number | undefined => {
  const match = DURATION.exec(text ?? '')
  if (!match) return undefined
  const [years = 0, months = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  return ((((years * 365 + months * 30 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
}
