/**
 * Software statements (RFC 7591 section 2.3): client metadata as a JWT, signed by an issuer that the tenant trusts. What it says wins over
 * the rest of the request (section 3.1.1).
 */
import type { RegistrationSettings } from '@countersign/contract/client-registration.ts'
import type { JWK } from 'jose'
import { KeysUnavailable, remoteKeys } from '../../domain/applications/remote-keys.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { parseJws } from '../../tokens/jws.ts'
import { CLOCK_TOLERANCE, verifiedByKeys } from '../client-jwt.ts'

type Issuer = RegistrationSettings['softwareStatementIssuers'][number]
type Metadata = Readonly<Record<string, unknown>>

const LONGEST = 8192
/** Claims about the statement itself, which are no metadata. */
const OWN_CLAIMS: ReadonlySet<string> = new Set(['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'])

const invalid = (description: string) => new OAuthError('invalid_software_statement', description)
const unapproved = (description: string) => new OAuthError('unapproved_software_statement', description)

/** The keys of an issuer. @param kid of the statement: published keys may be fetched again for it */
const keysOf = async (store: Store, { jwks, jwksUri }: Issuer, kid: unknown): Promise<readonly JWK[]> => {
  if (jwksUri === undefined) return jwks?.keys ?? []
  try {
    return await remoteKeys(store, jwksUri, (keys) =>
      keys.some((key) => kid === undefined || key.kid === undefined || key.kid === kid),
    )
  } catch (error) {
    if (error instanceof KeysUnavailable) throw unapproved('the keys of its issuer are not known at the moment')
    throw error
  }
}

/**
 * The metadata that a software statement contains. Throws OAuthError `unapproved_software_statement` for an issuer that the tenant does not
 * trust, `invalid_software_statement` for anything that it did not sign, or that has expired. `aud`, where there is one, names this issuer. It
 * may come any number of times: it is about the software, not about one client.
 */
const metadataOf = async (
  store: Store,
  tenant: Tenant,
  issuers: readonly Issuer[],
  statement: string,
): Promise<Metadata> => {
  const jws = statement.length <= LONGEST ? parseJws(statement) : undefined
  if (!jws) throw invalid('the software statement is not a JWT')
  const { iss, aud } = jws.claims
  const issuer = issuers.find((one) => one.issuer === iss)
  if (!issuer) throw unapproved('the issuer of the software statement is not trusted here')
  if (aud !== undefined && !(Array.isArray(aud) ? aud : [aud]).includes(tenant.issuer))
    throw invalid('the software statement is for another server')
  const keys = await keysOf(store, issuer, jws.header.kid)
  const { jwtVerify } = await import('jose')
  const found = await verifiedByKeys(keys, undefined, statement, (key, algorithms) =>
    jwtVerify(statement, key, {
      algorithms,
      issuer: issuer.issuer,
      currentDate: store.clock.now(),
      clockTolerance: CLOCK_TOLERANCE,
    }),
  )
  if (!found) throw invalid('the software statement is not signed by its issuer, or has expired')
  return Object.fromEntries(Object.entries(found.verified.payload).filter(([name]) => !OWN_CLAIMS.has(name)))
}

/** Metadata with what its software statement says. */
export interface Stated {
  readonly metadata: Metadata
  /** Undefined: there is none. */
  readonly statement: string | undefined
}

/**
 * The metadata with what its software statement says, which wins. Throws OAuthError as above, and `invalid_software_statement` where one is
 * required and there is none.
 * @param isRequired whether the policy demands one
 */
export const withStatement = async (
  store: Store,
  tenant: Tenant,
  { software_statement: statement, ...sent }: Metadata,
  { softwareStatementIssuers: issuers }: RegistrationSettings,
  isRequired: boolean,
): Promise<Stated> => {
  if (statement === undefined || statement === null) {
    if (isRequired) throw invalid('a software statement is required here')
    return { metadata: sent, statement: undefined }
  }
  if (typeof statement !== 'string') throw invalid('software_statement is not a string')
  const { software_statement: _, ...stated } = await metadataOf(store, tenant, issuers, statement)
  return { metadata: { ...sent, ...stated }, statement }
}
