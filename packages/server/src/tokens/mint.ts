/** The one mint: turns an Authorization into the tokens of the answer. Every grant's tokens are made here. */
import { trace } from '@opentelemetry/api'
import { currentKey, signingKeys } from '../domain/signing-keys.ts'
import { toNumericDate } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import type { Authorization } from './authorization.ts'
import { signJws } from './jws.ts'

/** RFC 9068 section 2.1. */
export const ACCESS_TOKEN_TYPE = 'at+jwt'
/** DECISIONS M. */
const LONGEST_ACCESS_TOKEN = 8192

export interface Minted {
  readonly accessToken: string
  readonly jti: string
  /** Seconds. */
  readonly expiresIn: number
  /** Space-separated; undefined when nothing was granted. */
  readonly scope: string | undefined
}

const tracer = trace.getTracer('countersign')

/**
 * Makes the JWT access token of an Authorization (RFC 9068, DECISIONS G2) with the tenant's current key.
 * Does not ask whether the Authorization is right: that was the grant's part.
 */
export const mintAccessToken = async (
  store: Store,
  tenant: Tenant,
  authorization: Authorization,
  now: Date,
): Promise<Minted> => {
  const span = tracer.startSpan('mint')
  try {
    const key = currentKey(await signingKeys(store, tenant), now)
    if (!key) throw new Error(`Tenant ${tenant.id} has no signing key in use`)
    const { subject, client, resource, scopes } = authorization
    const scope = scopes.length > 0 ? scopes.join(' ') : undefined
    const iat = toNumericDate(now)
    const jti = newId()
    const accessToken = signJws(key, ACCESS_TOKEN_TYPE, {
      iss: tenant.issuer,
      sub: subject.id,
      aud: resource.indicator,
      exp: iat + resource.accessTokenTtl,
      iat,
      jti,
      client_id: client.id,
      scope,
    })
    if (accessToken.length > LONGEST_ACCESS_TOKEN) {
      throw new OAuthError(
        'invalid_scope',
        `the access token would be longer than ${LONGEST_ACCESS_TOKEN} bytes; ask for fewer scopes`,
      )
    }
    return { accessToken, jti, expiresIn: resource.accessTokenTtl, scope }
  } finally {
    span.end()
  }
}
