/** Where an address is, as far as a file in MaxMind's format says (`GEOIP_FILE`): no one is asked. */
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { CityResponse } from 'mmdb-lib'
import { ConfigurationError } from './configuration.ts'
import type { Log } from './log.ts'
import { watchFiles } from './watched-files.ts'

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

/** A file that was read. */
interface PlaceFile extends Places {
  readonly builtAt: Date
}

/** Reads the file into memory. Throws ConfigurationError for a file of another format, and when it cannot be read. */
export const readPlaces = async (file: string): Promise<PlaceFile> => {
  const { Reader } = await import('mmdb-lib')
  const content = await readFile(file).catch((cause: Error) => {
    throw new ConfigurationError(`GEOIP_FILE: ${file} cannot be read: ${cause.message}`, { cause })
  })
  const open = () => {
    try {
      return new Reader<CityResponse>(content)
    } catch (cause) {
      throw new ConfigurationError(`GEOIP_FILE: ${file} is not a database in MaxMind’s format.`, { cause })
    }
  }
  const reader = open()
  return {
    builtAt: reader.metadata.buildEpoch,
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

/** The places of a file that may be replaced while the process runs. */
export interface WatchedPlaces extends Places {
  /** Whether the current file is the one that was read; false while a newer one cannot be read. */
  isCurrent(): boolean
  close(): void
}

/**
 * Reads the file, and again whenever it has changed and then stayed the same from one check to the next. If it cannot
 * be read, that is logged, and the previous content stays in use. Throws as readPlaces if the first cannot be read.
 */
export const watchPlaces = async (file: string, log: Log): Promise<WatchedPlaces> => {
  let places: Places = NO_PLACES
  let isCurrent = true
  const reread = async () => {
    try {
      const read = await readPlaces(file)
      places = read
      isCurrent = true
      log.info({ file, builtAt: read.builtAt }, 'GEOIP_FILE has changed and was read again')
    } catch (error) {
      isCurrent = false
      log.warn({ err: error, file }, 'GEOIP_FILE has changed and cannot be read: the previous content stays in use')
    }
  }
  const watched = await watchFiles([file], reread)
  try {
    places = await readPlaces(file)
  } catch (error) {
    watched.close()
    throw error
  }
  return { of: (ip) => places.of(ip), isCurrent: () => isCurrent, close: watched.close }
}
