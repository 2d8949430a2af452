/** Where an address is, as far as a file in MaxMind's format says (`GEOIP_FILE`): no one is asked. */
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { CityResponse } from 'mmdb-lib'
import { ConfigurationError } from './configuration.ts'

export interface Place {
  /** ISO 3166-1, two letters. */
  readonly country: string
  /** In English. */
  readonly city?: string
  /** Degrees. */
  readonly latitude?: number
  readonly longitude?: number
}

export interface Places {
  /** Undefined where the file says nothing of the address, or there is no file. Never throws. */
  of(ip: string | undefined): Place | undefined
}

export const NO_PLACES: Places = { of: () => undefined }

/** A place as texts: what pages, applications and scripts know as the context of a sign-in. */
export const signInContext = (place: Place): Record<string, string> =>
  Object.fromEntries(Object.entries(place).map(([name, value]) => [name, String(value)]))

const placeOf = ({ country, registered_country, city, location }: CityResponse): Place | undefined => {
  const code = country?.iso_code ?? registered_country?.iso_code
  if (!code) return undefined
  return {
    country: code,
    ...(city?.names?.en ? { city: city.names.en } : {}),
    ...(location ? { latitude: location.latitude, longitude: location.longitude } : {}),
  }
}

/**
 * Reads the file into memory, where it stays until the process ends: a newer one needs a restart. Throws ConfigurationError for a
 * file of another format.
 */
export const readPlaces = async (file: string): Promise<Places> => {
  const { Reader } = await import('mmdb-lib')
  const content = await readFile(file)
  const open = () => {
    try {
      return new Reader<CityResponse>(content)
    } catch (cause) {
      throw new ConfigurationError(`GEOIP_FILE: ${file} is not a database in MaxMind’s format.`, { cause })
    }
  }
  const reader = open()
  return {
    of(ip) {
      if (ip === undefined || isIP(ip) === 0) return undefined
      try {
        const found = reader.get(ip)
        return found ? placeOf(found) : undefined
      } catch {
        // an IPv6 address in a file for IPv4
        return undefined
      }
    },
  }
}
