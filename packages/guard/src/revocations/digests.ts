// What a token names, as the feed writes it: twelve bytes of a digest for its jti, its grant, its session, its user and its client.

import { createHash } from 'node:crypto'
import type { AccessTokenClaims } from '../token/claims.ts'

export const DIGEST_BYTES = 12

const digestOf = (kind: string, value: string): Buffer => createHash('sha256').update(`${kind}:${value}`).digest()

/**
 * The digests under which a token may have been revoked. A `jti` of Countersign names its grant: `g.` for one that outlives its session,
 * `s.` for a token that ends with the session too. A token of another issuer is found by its `jti`, `sub` and `client_id`.
 */
export function* digestsOf({ jti, sub, client_id, sid }: AccessTokenClaims): Generator<Buffer> {
  yield digestOf('token', jti)
  const [kind, grant, id] = jti.split('.', 3)
  if ((kind === 'g' || kind === 's') && grant && id) yield digestOf('grant', grant)
  if (kind === 's' && typeof sid === 'string') yield digestOf('session', sid)
  yield digestOf('user', sub)
  yield digestOf('client', client_id)
}
