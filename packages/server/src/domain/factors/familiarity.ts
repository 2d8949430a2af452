/** What is known from a user's earlier sign-ins while adaptive MFA was on: browsers, countries, and the last place. */
import { sql } from 'kysely'
import { newHashedOpaque, opaqueHash } from '../../kernel/opaque.ts'
import type { Place } from '../../kernel/places.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Unit } from '../../storage/unit-of-work.ts'

/** After this long a browser or a country is new again. */
export const FAMILIAR_DAYS = 180
const DAY_MILLISECONDS = 86_400_000

export interface SeenPlace extends Partial<Place> {
  readonly country: string
  readonly at: Date
}

export interface Familiarity {
  readonly isKnownDevice: boolean
  /** Where the user has signed in of late, the latest first. */
  readonly places: readonly SeenPlace[]
}

/** @param secret of the browser, if it has one */
export const familiarityOf = async (
  db: Db,
  tenantId: string,
  userId: string,
  secret: string | undefined,
  now: Date,
): Promise<Familiarity> => {
  const since = new Date(now.getTime() - FAMILIAR_DAYS * DAY_MILLISECONDS)
  const hash = opaqueHash('device', secret)
  const { rows: devices } = await sql`/* prepared */
    SELECT FROM known_devices WHERE tenant_id = ${tenantId} AND user_id = ${userId}
      AND secret_hash = ${hash ?? null}::bytea AND last_seen_at > ${since}`.execute(db)
  const places = await db
    .selectFrom('sign_in_countries')
    .select(['country', 'city', 'latitude', 'longitude', 'last_seen_at as at'])
    .where(inTenant(tenantId))
    .where('user_id', '=', userId)
    .where('last_seen_at', '>', since)
    .orderBy('last_seen_at', 'desc')
    .execute()
  return {
    isKnownDevice: devices.length > 0,
    places: places.map(({ country, at, city, latitude, longitude }) => ({
      country,
      at,
      ...(city === null ? {} : { city }),
      ...(latitude === null || longitude === null ? {} : { latitude, longitude }),
    })),
  }
}

/**
 * Whether the browser or the country is new for a user of whom others are known. @param secret of the browser, if it has one
 */
export const isUnfamiliar = async (
  { tx, tenant, now }: Unit,
  userId: string,
  secret: string | undefined,
  place: Place | undefined,
): Promise<boolean> => {
  const since = new Date(now.getTime() - FAMILIAR_DAYS * DAY_MILLISECONDS)
  const hash = opaqueHash('device', secret)
  const { rows } = await sql<{ isNew: boolean }>`/* prepared */
    SELECT coalesce((SELECT NOT bool_or(secret_hash IS NOT DISTINCT FROM ${hash ?? null}::bytea) FROM known_devices
        WHERE tenant_id = ${tenant.id} AND user_id = ${userId} AND last_seen_at > ${since}), false)
      OR coalesce((SELECT NOT bool_or(country = ${place?.country ?? null}::text) FROM sign_in_countries
        WHERE tenant_id = ${tenant.id} AND user_id = ${userId} AND last_seen_at > ${since}), false) AS "isNew"`.execute(
    tx,
  )
  return rows[0]?.isNew ?? false
}

/**
 * Remembers a sign-in that has succeeded; returns the secret of the browser, which is for its cookie.
 * @param secret that the browser has already
 */
export const rememberSignIn = (
  { tx, tenant, now, send }: Unit,
  userId: string,
  secret: string | undefined,
  place: Place | undefined,
): string => {
  const hash = opaqueHash('device', secret)
  const device = secret !== undefined && hash ? { value: secret, hash } : newHashedOpaque('device')
  send(
    sql`INSERT INTO known_devices (tenant_id, user_id, secret_hash, last_seen_at)
      VALUES (${tenant.id}, ${userId}, ${device.hash}, ${now})
      ON CONFLICT (tenant_id, user_id, secret_hash) DO UPDATE SET last_seen_at = ${now}`.execute(tx),
  )
  if (!place) return device.value
  const seen = {
    city: place.city ?? null,
    latitude: place.latitude ?? null,
    longitude: place.longitude ?? null,
    last_seen_at: now,
  }
  send(
    tx
      .insertInto('sign_in_countries')
      .values({ tenant_id: tenant.id, user_id: userId, country: place.country, ...seen })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id', 'country']).doUpdateSet(seen))
      .execute(),
  )
  return device.value
}

/** Forgets the browsers of a user, as trust in devices ends: each is new again. */
export const forgetDevices = async ({ tx, tenant }: Unit, userId: string): Promise<void> => {
  await tx.deleteFrom('known_devices').where(inTenant(tenant.id)).where('user_id', '=', userId).execute()
}
