/**
 * Requests of SAML applications that wait for the end of a sign-in. The application gives each an ID; one that was answered is not
 * begun or answered again (DECISIONS P12).
 */
import { sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { newHashedOpaque, opaqueHash } from '../../kernel/opaque.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import type { Unit } from '../../storage/unit-of-work.ts'

/** As long as an interaction, and longer than a request is fresh: what has expired here would not be begun again. */
const REQUEST_SECONDS = 3600

/** What the response needs to know of the request. */
export interface SamlRequest {
  /** The ID that the application gave it; undefined: the sign-in began here. */
  readonly id?: string
  /** A registered address. */
  readonly acsUrl: string
  readonly relayState?: string
  /** Whom the user has to be: the name that the application knows them by. */
  readonly subject?: string
  /** The classes of authentication that it accepts. */
  readonly classes?: readonly string[]
}

/**
 * Keeps a request, instead of what was kept under the same ID: a page that is loaded again begins again. Returns the state that the
 * sign-in brings back; undefined: the request was answered.
 */
export const keepSamlRequest = async (
  { tx, tenant, now }: Unit,
  applicationId: string,
  request: SamlRequest,
): Promise<string | undefined> => {
  const { value: state, hash } = newHashedOpaque('samlState')
  const requestHash = hashSecret(request.id === undefined ? `here ${newId()}` : `there ${request.id}`)
  const { rows } = await sql`
    INSERT INTO saml_requests AS kept (tenant_id, application_id, request_hash, state_hash, details, expires_at)
    VALUES (${tenant.id}, ${applicationId}, ${requestHash}, ${hash}, ${JSON.stringify(request)},
      ${secondsAfter(now, REQUEST_SECONDS)})
    ON CONFLICT (tenant_id, application_id, request_hash)
    DO UPDATE SET state_hash = excluded.state_hash, details = excluded.details, expires_at = excluded.expires_at
      WHERE kept.answered_at IS NULL
    RETURNING 1`.execute(tx)
  return rows.length > 0 ? state : undefined
}

/** Marks a request as answered and returns it: of several answers one gets it. Undefined: there is none that waits. */
export const answerSamlRequest = async (
  { tx, tenant, now }: Unit,
  applicationId: string,
  state: string,
): Promise<SamlRequest | undefined> => {
  const hash = opaqueHash('samlState', state)
  if (!hash) return undefined
  const { rows } = await sql<{ details: SamlRequest }>`
    UPDATE saml_requests SET answered_at = ${now}
    WHERE tenant_id = ${tenant.id} AND application_id = ${applicationId} AND state_hash = ${hash}
      AND answered_at IS NULL AND expires_at > ${now}
    RETURNING details`.execute(tx)
  return rows[0]?.details
}
