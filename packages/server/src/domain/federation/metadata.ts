/**
 * What providers say of themselves (OpenID Connect Discovery 1.0), and their keys. Kept in memory for an hour, of the providers
 * that were asked last.
 */
import * as oauth from 'oauth4webapi'
import {
  type AuthorizationServer,
  discoveryRequest,
  KEY_SELECTION,
  OperationProcessingError,
  processDiscoveryResponse,
  validateApplicationLevelSignature,
} from 'oauth4webapi'
import type { Outbound } from '../../kernel/outbound.ts'
import { FederationFailure } from './failure.ts'
import type { Provider } from './provider.ts'
import type { Reach } from './reach.ts'
import { step } from './step.ts'

/** What the library has for Microsoft and its types do not show; `openid-client` uses it likewise. */
const { _expectedIssuer, _nodiscoverycheck } = oauth as unknown as {
  readonly _expectedIssuer: symbol
  readonly _nodiscoverycheck: URL
}

const KEPT_MS = 3_600_000
/** A provider that cannot say it is not asked by every user who comes meanwhile. */
const FAILURE_KEPT_MS = 5000
const MOST_KEPT = 1000
/** Keys that an ID token is signed with are asked for again at most so often. */
const KEYS_AGAIN_MS = 1000

interface Known {
  server: AuthorizationServer
  /** When its keys may be asked for again. */
  keysAgainAt: number
}

/** One request for what is known of a provider: those who come while it is under way wait for it. */
interface Asked {
  readonly known: Promise<Known>
  until: number
}

/** By the client that asks, of which a process has one. */
const caches = new WeakMap<Pick<Outbound, 'send'>, Map<string, Asked>>()

const cacheOf = ({ store }: Reach): Map<string, Asked> => {
  const known = caches.get(store.outbound)
  if (known) return known
  const made = new Map<string, Asked>()
  caches.set(store.outbound, made)
  return made
}

/** The id of a directory, in the ID tokens of Microsoft. */
const DIRECTORY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Microsoft's document for all directories has a placeholder in its issuer, which the token fills in. */
const ofAnyDirectory = (server: AuthorizationServer): AuthorizationServer => ({
  ...server,
  [_expectedIssuer]: ({ claims: { tid } }: { claims: Readonly<Record<string, unknown>> }) =>
    server.issuer.replace('{tenantid}', typeof tid === 'string' && DIRECTORY.test(tid) ? tid : ''),
})

const discovered = async ({ options }: Reach, issuer: URL): Promise<AuthorizationServer> => {
  const response = await discoveryRequest(issuer, { ...options, algorithm: 'oidc' })
  if (issuer.hostname !== 'login.microsoftonline.com') return processDiscoveryResponse(issuer, response)
  const server = await processDiscoveryResponse(_nodiscoverycheck, response)
  const expected = [issuer.href, 'https://login.microsoftonline.com/{tenantid}/v2.0']
  const isOfDirectory = new RegExp(`^https://login\\.microsoftonline\\.com/${DIRECTORY.source.slice(1, -1)}/v2\\.0$`)
  if (!expected.includes(server.issuer) && !isOfDirectory.test(server.issuer))
    throw new FederationFailure('provider', 'the metadata is that of another issuer')
  return server.issuer.includes('{tenantid}') ? ofAnyDirectory(server) : server
}

const remember = (cache: Map<string, Asked>, issuer: string, asked: Asked): Promise<Known> => {
  cache.delete(issuer)
  cache.set(issuer, asked)
  for (const [oldest] of cache) {
    if (cache.size <= MOST_KEPT) break
    cache.delete(oldest)
  }
  return asked.known
}

const knownServer = async (reach: Reach, issuer: string): Promise<Known> => {
  const now = () => reach.store.clock.now().getTime()
  const cache = cacheOf(reach)
  const found = cache.get(issuer)
  if (found && found.until > now()) return remember(cache, issuer, found)
  const ask = async () => ({ server: await discovered(reach, new URL(issuer)), keysAgainAt: 0 })
  const asked = { known: step('provider', ask), until: Number.POSITIVE_INFINITY }
  const keep = (ms: number) => () => {
    asked.until = now() + ms
  }
  asked.known.then(keep(KEPT_MS), keep(FAILURE_KEPT_MS))
  return remember(cache, issuer, asked)
}

/** What is known of the provider's server: discovered, or as the connector has it. Throws FederationFailure. */
export const serverOf = async (reach: Reach, { at }: Provider): Promise<AuthorizationServer> => {
  if (at.protocol === 'oidc') return (await knownServer(reach, at.issuer)).server
  const { authorization, token, userInfo } = at.endpoints
  // plain OAuth has no issuer: nothing is compared with this
  return {
    issuer: new URL(authorization).origin,
    authorization_endpoint: authorization,
    token_endpoint: token,
    userinfo_endpoint: userInfo,
  }
}

/**
 * Verifies the signature of the ID token in a response of the token endpoint. A provider that has changed its keys since they were
 * asked for is asked again. Throws FederationFailure.
 */
export const verifySignature = async (reach: Reach, issuer: string, response: Response): Promise<void> => {
  const known = await knownServer(reach, issuer)
  const verify = () => validateApplicationLevelSignature(known.server, response, reach.options)
  await step('token', async () => {
    try {
      await verify()
    } catch (error) {
      const now = reach.store.clock.now().getTime()
      const isUnknownKey = error instanceof OperationProcessingError && error.code === KEY_SELECTION
      if (!isUnknownKey || now < known.keysAgainAt) throw error
      known.keysAgainAt = now + KEYS_AGAIN_MS
      // the library remembers the keys of this very object
      known.server = { ...known.server }
      await verify()
    }
  })
}
