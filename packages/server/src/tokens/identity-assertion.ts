/** Identity assertions (ID-JAG): what this server says of a user to another authorization server (DECISIONS H14). */
import type { SigningKey } from '../domain/tenants/signing-keys.ts'
import { toNumericDate } from '../kernel/clock.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { AssertionAuthorization } from './authorization.ts'
import { signJws } from './jws.ts'
import { newTokenId } from './token-id.ts'

/** `typ` of the header, so that it is taken for nothing else. */
export const ID_JAG_HEADER = 'oauth-id-jag+jwt'
/** It is presented at once. */
const LIFETIME_SECONDS = 300

/** Makes the assertion, in the form in which the mint returns tokens. Does not check the authorization. @param scope separated by spaces */
export const mintIdentityAssertion = (
  key: SigningKey,
  { issuer }: Tenant,
  { userId, audience, clientIdThere, resources, signIn }: AssertionAuthorization,
  scope: string | undefined,
  now: Date,
) => {
  const iat = toNumericDate(now)
  const jti = newTokenId()
  const accessToken = signJws(key, ID_JAG_HEADER, {
    ...signIn,
    iss: issuer,
    sub: userId,
    aud: audience,
    client_id: clientIdThere,
    jti,
    iat,
    exp: iat + LIFETIME_SECONDS,
    scope,
    resource: resources.length > 1 ? resources : resources[0],
  })
  return { accessToken, jti, expiresIn: LIFETIME_SECONDS, scope }
}
