/** Logout tokens (OpenID Connect Back-Channel Logout 1.0 section 2.4). */
import type { LogoutNotice } from '../domain/sessions/back-channel-logout.ts'
import type { SigningKey } from '../domain/tenants/signing-keys.ts'
import { toNumericDate } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { signJws } from './jws.ts'

const TYPE = 'logout+jwt'
/** At most two minutes, as section 4 advises: the token is made when it is sent. */
const LIFETIME_SECONDS = 120
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** Creates a logout token. @param key the key that signs the application's ID tokens @param subject as it knows the user */
export const mintLogoutToken = (
  key: SigningKey,
  { issuer }: Tenant,
  { clientId, sessionId }: LogoutNotice,
  subject: string,
  now: Date,
): string => {
  const iat = toNumericDate(now)
  return signJws(key, TYPE, {
    iss: issuer,
    sub: subject,
    aud: clientId,
    iat,
    exp: iat + LIFETIME_SECONDS,
    jti: newId(),
    sid: sessionId,
    events: { [EVENT]: {} },
  })
}
