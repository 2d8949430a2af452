/** Logout tokens of identity providers (OpenID Connect Back-Channel Logout 1.0, section 2.6): verified as strictly as ID tokens. */
import { createRemoteJWKSet, type JWTPayload, type JWTVerifyGetKey, jwtVerify, customFetch as keysFetch } from 'jose'
import { customFetch } from 'oauth4webapi'
import { ApiError } from '../../../kernel/api-error.ts'
import type { Store } from '../../../storage/store.ts'
import { operation, perform, Refusal, type Work } from '../../../storage/unit-of-work.ts'
import { FederationFailure } from '../failure.ts'
import { serverOf } from '../metadata.ts'
import { reachOf } from '../reach.ts'
import { step } from '../step.ts'
import { oidcProviderOf } from './config.ts'
import type { SsoConnector } from './connectors.ts'

/** What an identity provider says has ended. */
export interface ProviderLogout {
  readonly issuer: string
  /** The user whose sessions end; undefined: that of the session. */
  readonly identityId?: string
  /** The same by the NameID of SAML. */
  readonly nameId?: string
  /** The sessions that end; undefined: all of the user. */
  readonly sessionIds?: readonly string[]
  readonly saidAt: Date
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const TYPES: ReadonlySet<string | undefined> = new Set([undefined, 'jwt', 'logout+jwt'])
/** Never one with a secret: whoever registered the client could make it. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const TOLERANCE_SECONDS = 60
/** A token is sent when the session ends. */
const OLDEST_SECONDS = 300

/** The most providers whose keys are kept, by the client that asks, of which a process has one. */
const MOST_KEPT = 1000
const kept = new WeakMap<Store['outbound'], Map<string, JWTVerifyGetKey>>()

/** The keys at an address, which are asked for again when a token has another, though not all the time. */
const keysOf = (store: Store, address: string): JWTVerifyGetKey => {
  const known = kept.get(store.outbound) ?? new Map<string, JWTVerifyGetKey>()
  kept.set(store.outbound, known)
  const found = known.get(address)
  if (found) return found
  const keys = createRemoteJWKSet(new URL(address), {
    [keysFetch]: (url) => reachOf(store).options[customFetch](url, { method: 'GET', headers: {} }),
  })
  const [oldest] = known.keys()
  if (known.size >= MOST_KEPT && oldest !== undefined) known.delete(oldest)
  known.set(address, keys)
  return keys
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const assertLogout = ({ events, nonce, sub, sid }: JWTPayload, type: string | undefined): void => {
  const fails = (reason: string) => new FederationFailure('token', reason)
  if (!TYPES.has(type?.toLowerCase().replace(/^application\//, ''))) throw fails(`the token is of the type ${type}`)
  const isEvent = typeof events === 'object' && events !== null && EVENT in events
  if (!isEvent) throw fails('the token does not say that a session has ended')
  // an ID token is no logout token
  if (nonce !== undefined) throw fails('the token has a nonce')
  if (!text(sub) && !text(sid)) throw fails('the token names neither a user nor a session')
}

const verified = async ({ store }: Work, connector: SsoConnector, token: string): Promise<ProviderLogout> => {
  const provider = oidcProviderOf(connector)
  const { issuer } = provider.at
  const { jwks_uri: keysAt } = await serverOf(reachOf(store), provider)
  if (!keysAt) throw new FederationFailure('provider', 'the provider has no keys')
  const { payload, protectedHeader } = await step('token', () =>
    jwtVerify(token, keysOf(store, keysAt), {
      issuer,
      audience: provider.clientId,
      algorithms: ALGORITHMS,
      currentDate: store.clock.now(),
      clockTolerance: TOLERANCE_SECONDS,
      maxTokenAge: OLDEST_SECONDS,
      requiredClaims: ['iat', 'jti', 'events'],
    }),
  )
  assertLogout(payload, protectedHeader.typ)
  const [sub, sid] = [text(payload[provider.claims.id]) ?? text(payload.sub), text(payload.sid)]
  return {
    issuer,
    ...(sub ? { identityId: sub } : {}),
    ...(sid ? { sessionIds: [sid] } : {}),
    saidAt: new Date(((payload.iat ?? 0) + TOLERANCE_SECONDS) * 1000),
  }
}

const refused = operation([], async (unit, connectorId: string, failure: FederationFailure): Promise<never> => {
  unit.note({ connectorId, kind: failure.kind, reason: failure.message })
  throw new Refusal(new ApiError('connector.social_invalid_id_token', undefined, { cause: failure }))
})

/** What a logout token says. Throws 401 `connector.social_invalid_id_token`, and the audit log has why. Ends nothing. */
export const readLogoutToken = async (work: Work, connector: SsoConnector, token: string): Promise<ProviderLogout> => {
  try {
    return await verified(work, connector, token)
  } catch (error) {
    if (!(error instanceof FederationFailure)) throw error
    return perform(work, refused, connector.id, error)
  }
}
