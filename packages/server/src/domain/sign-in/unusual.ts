/**
 * What is unusual about a sign-in: the rules of adaptive MFA, a pure function of what is known of the user and of the caller. The
 * names and details are those that receivers of Logto's event know; `new_device` is ours.
 */
import type { Place } from '../../kernel/places.ts'
import { FAMILIAR_DAYS, type Familiarity, type SeenPlace } from '../factors/familiarity.ts'

/** Longer than this between two sign-ins is unusual. */
const INACTIVITY_DAYS = 30
/** Nobody travels faster. */
const MOST_KMH = 900
/** Failed guesses of an address within ten minutes. */
const MANY_FAILURES = 10
/** Below this no one has travelled: files of places are not more exact, and two towns may be one. */
const LEAST_KM = 100

const HOUR_MILLISECONDS = 3_600_000
const DAY_MILLISECONDS = 24 * HOUR_MILLISECONDS
const EARTH_KM = 6371

/** The caller of a sign-in, as the server sees it. */
export interface Surroundings {
  readonly place?: Place | undefined
  /** How many guesses of the address have failed of late. */
  readonly failures: number
}

export interface SignInFacts extends Surroundings, Familiarity {
  readonly now: Date
  readonly lastSignInAt: Date | null
}

/** A rule that applies, with the facts. */
export interface TriggeredRule {
  readonly rule: 'new_device' | 'new_country' | 'geo_velocity' | 'long_inactivity' | 'untrusted_ip'
  readonly details: Readonly<Record<string, unknown>>
}

type Coordinates = Required<Pick<Place, 'latitude' | 'longitude'>>
const hasCoordinates = (place: Partial<Place> | undefined): place is Coordinates & Partial<Place> =>
  place?.latitude !== undefined && place.longitude !== undefined

/** Kilometres along a great circle (haversine). */
const distance = (from: Coordinates, to: Coordinates): number => {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const half = (a: number, b: number) => Math.sin(radians(b - a) / 2) ** 2
  const between =
    half(from.latitude, to.latitude) +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * half(from.longitude, to.longitude)
  return 2 * EARTH_KM * Math.asin(Math.sqrt(between))
}

const shown = ({ country, at }: SeenPlace) => ({ country, lastSignInAt: at.toISOString() })
const rounded = (value: number): number => Math.round(value * 10) / 10

const newDevice = ({ isKnownDevice }: SignInFacts): TriggeredRule | undefined =>
  isKnownDevice ? undefined : { rule: 'new_device', details: { windowDays: FAMILIAR_DAYS } }

/** A user whose countries are not known yet has no new one. */
const newCountry = ({ place, places }: SignInFacts): TriggeredRule | undefined => {
  if (!place || places.length === 0 || places.some(({ country }) => country === place.country)) return undefined
  const recentCountries = places.map(shown)
  const details = { currentCountry: place.country, windowDays: FAMILIAR_DAYS, recentCountries }
  return { rule: 'new_country', details }
}

const impossibleTravel = ({ place, places: [last], now }: SignInFacts): TriggeredRule | undefined => {
  if (!last || !hasCoordinates(place) || !hasCoordinates(last)) return undefined
  const distanceKm = distance(last, place)
  const durationHours = (now.getTime() - last.at.getTime()) / HOUR_MILLISECONDS
  if (distanceKm < LEAST_KM || distanceKm <= MOST_KMH * durationHours) return undefined
  return {
    rule: 'geo_velocity',
    details: {
      previous: { country: shown(last), ...(last.city ? { city: last.city } : {}), at: last.at.toISOString() },
      current: { country: place.country, ...(place.city ? { city: place.city } : {}), at: now.toISOString() },
      distanceKm: Math.round(distanceKm),
      durationHours: rounded(durationHours),
      // two sign-ins in the same moment: as if a minute had been between them
      speedKmh: Math.round(distanceKm / Math.max(durationHours, 1 / 60)),
      thresholdKmh: MOST_KMH,
    },
  }
}

const longInactivity = ({ now, lastSignInAt }: SignInFacts): TriggeredRule | undefined => {
  if (!lastSignInAt) return undefined
  const days = (now.getTime() - lastSignInAt.getTime()) / DAY_MILLISECONDS
  if (days < INACTIVITY_DAYS) return undefined
  const details = { lastSignInAt: lastSignInAt.toISOString(), inactivityDays: Math.floor(days) }
  return { rule: 'long_inactivity', details: { ...details, thresholdDays: INACTIVITY_DAYS } }
}

const untrustedAddress = ({ failures }: SignInFacts): TriggeredRule | undefined =>
  failures < MANY_FAILURES
    ? undefined
    : { rule: 'untrusted_ip', details: { signals: { recentFailures: failures }, matchedSignals: ['recentFailures'] } }

/** The rules that apply; none: the sign-in is as usual. */
export const unusualFacts = (facts: SignInFacts): TriggeredRule[] =>
  [newCountry, impossibleTravel, longInactivity, untrustedAddress, newDevice]
    .map((rule) => rule(facts))
    .filter((triggered) => triggered !== undefined)
