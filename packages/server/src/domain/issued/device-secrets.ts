/**
 * Secrets of devices (OpenID Connect Native SSO for Mobile Apps 1.0, DECISIONS G18 to G20): the applications of a group on one device
 * share one, and each gets tokens of the session that it was issued in. It ends with that session, whatever ends it.
 */
import { hash as digest } from 'node:crypto'
import { sql } from 'kysely'
import { newHashedOpaque, opaqueHash } from '../../kernel/opaque.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { Client } from '../applications/clients.ts'
import type { Session } from '../sessions/sessions.ts'

/** How many a session has at most: one for each of its applications that asks. With one more, the least recently used ends. */
const MOST_PER_SESSION = 20

/** The group in which an application shares sign-ins with others on the device; undefined: in none. */
export const ssoGroupOf = ({ type, isThirdParty, metadata }: Client): string | undefined =>
  type === 'Native' && !isThirdParty ? metadata.nativeSsoGroup : undefined

/** `ds_hash`: what an ID token says of the device secret that came with it (section 3.2). */
export const deviceSecretHash = (secret: string): string => digest('sha256', secret, 'base64url')

/** Makes a secret for a group in a session; returns it. Only its hash is stored. */
const makeDeviceSecret = async ({ tx, tenant, now }: Unit, sessionId: string, group: string): Promise<string> => {
  const { value, hash } = newHashedOpaque('deviceSecret')
  await tx
    .insertInto('device_secrets')
    .values({ tenant_id: tenant.id, hash, session_id: sessionId, sso_group: group, created_at: now, last_used_at: now })
    .execute()
  await sql`DELETE FROM device_secrets WHERE tenant_id = ${tenant.id} AND hash IN (
    SELECT hash FROM device_secrets WHERE tenant_id = ${tenant.id} AND session_id = ${sessionId} AND hash <> ${hash}
    ORDER BY last_used_at DESC, hash OFFSET ${MOST_PER_SESSION - 1})`.execute(tx)
  return value
}

/**
 * The secret for an application that has just got tokens in a session: the one that the device already has, if it is of this session and
 * group (section 3.3), else a new one.
 * @param held `device_secret` of the request
 */
export const deviceSecretFor = async (
  unit: Unit,
  sessionId: string,
  group: string,
  held: string | undefined,
): Promise<string> => {
  const { tx, tenant, now } = unit
  const hash = opaqueHash('deviceSecret', held)
  const known =
    hash &&
    (await tx
      .updateTable('device_secrets')
      .set({ last_used_at: now })
      .where(inTenant(tenant.id))
      .where('hash', '=', hash)
      .where('session_id', '=', sessionId)
      .where('sso_group', '=', group)
      .returning('hash')
      .executeTakeFirst())
  return known && held !== undefined ? held : makeDeviceSecret(unit, sessionId, group)
}

/**
 * The live session of a user in which this group got this secret; undefined: there is none. One statement, which also records the use.
 * Does not check whether the user is suspended.
 */
export const sessionOfDevice = async (
  { tx, tenant, now }: Unit,
  { secret, sessionId, userId, group }: Readonly<Record<'secret' | 'sessionId' | 'userId' | 'group', string>>,
): Promise<Session | undefined> => {
  const hash = opaqueHash('deviceSecret', secret)
  if (!hash) return undefined
  const { rows } = await sql<Session>`
    UPDATE device_secrets d SET last_used_at = ${now} FROM sessions s
    WHERE d.tenant_id = ${tenant.id} AND d.hash = ${hash} AND d.session_id = ${sessionId} AND d.sso_group = ${group}
      AND s.tenant_id = d.tenant_id AND s.id = d.session_id AND s.user_id = ${userId} AND s.expires_at > ${now}
    RETURNING s.id, s.user_id AS "userId", s.authenticated_at AS "authenticatedAt", s.amr, s.expires_at AS "expiresAt"`.execute(
    tx,
  )
  return rows[0]
}
