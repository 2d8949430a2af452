/** The grants of the token endpoint, one flat list; discovery is derived from it. */
import { authorizationCode } from './authorization-code.ts'
import { ciba } from './ciba.ts'
import { clientCredentials } from './client-credentials.ts'
import { deviceCode } from './device-code.ts'
import type { Grant } from './grant.ts'
import { jwtBearer } from './jwt-bearer.ts'
import { refreshToken } from './refresh-token.ts'
import { tokenExchange } from './token-exchange.ts'

export const GRANTS: readonly Grant[] = [
  authorizationCode,
  refreshToken,
  clientCredentials,
  deviceCode,
  ciba,
  tokenExchange,
  jwtBearer,
]
