import { type JWTPayload, jwtVerify } from 'jose'
import { findKey } from '../keys/find-key.ts'
import type { KeySource } from '../keys/key-source.ts'
import { checkCompactJws } from '../token/compact-jws.ts'
import { algorithms, checkHeader } from '../token/header.ts'
import { fromJose } from './from-jose.ts'
import type { Expectations } from './options.ts'

/**
 * The claims of a token after the checks that prove it is from the issuer: signature by one of its keys with an
 * accepted algorithm, `typ` `at+jwt` (RFC 9068 §4; an ID token has another), `iss`, `exp` and `nbf`. Audience, client,
 * scopes and the types of the claims are not checked here.
 */
export async function signedClaims(token: string, keys: KeySource, expected: Expectations): Promise<JWTPayload> {
  checkCompactJws(token)
  try {
    const { payload } = await jwtVerify(
      token,
      (header, jws) => {
        checkHeader(header)
        return findKey(keys, header, jws)
      },
      {
        algorithms,
        typ: 'at+jwt',
        issuer: expected.issuer,
        clockTolerance: expected.clockToleranceSeconds,
        currentDate: expected.now(),
      },
    )
    return payload
  } catch (error) {
    throw fromJose(error)
  }
}
