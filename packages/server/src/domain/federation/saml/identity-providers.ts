/**
 * What is known of identity providers. Metadata that has an address is kept in memory and asked for again before it is out of date, in
 * the background: users wait for it only the first time, and a provider that cannot be reached remains as it was last known.
 */
import { certificateFacts } from '../../../kernel/certificates.ts'
import type { Outbound } from '../../../kernel/outbound.ts'
import type { Store } from '../../../storage/store.ts'
import { FederationFailure } from '../failure.ts'
import { step } from '../step.ts'
import { MOST_METADATA_BYTES, readSamlMetadata, type SamlMetadata } from './metadata.ts'
import type { SamlIdentityProvider, SamlSource } from './provider.ts'

const TIMEOUT_MS = 10_000
const SHORTEST_MS = 300_000
const USUAL_MS = 3_600_000
const LONGEST_MS = 86_400_000
/** After a failure, and for a key that is not known. */
const AGAIN_MS = 60_000
const MOST_KEPT = 1000

interface Known {
  readonly metadata: SamlMetadata
  /** From when on it is asked for again. */
  againAt: number
  /** When it may be asked for because of an unknown key. */
  keysAgainAt: number
  refresh: Promise<void> | undefined
}

/** By the client that asks, of which a process has one. */
const caches = new WeakMap<Pick<Outbound, 'send'>, Map<string, Known>>()

const cacheOf = ({ outbound }: Store): Map<string, Known> => {
  const known = caches.get(outbound) ?? new Map<string, Known>()
  caches.set(outbound, known)
  return known
}

const fetched = async (
  { outbound, clock }: Store,
  url: string,
  entityId: string | undefined,
): Promise<SamlMetadata> => {
  const answer = await outbound.send({
    url,
    method: 'GET',
    headers: { accept: 'application/samlmetadata+xml, application/xml;q=0.9, */*;q=0.1' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    mostBytes: MOST_METADATA_BYTES,
  })
  if (answer.status !== 200) throw new FederationFailure('provider', `the metadata address answered ${answer.status}`)
  if (answer.isCut) throw new FederationFailure('provider', 'the metadata is longer than 1 MiB')
  return readSamlMetadata(answer.body.toString('utf8'), clock.now(), entityId)
}

const keep = (store: Store, key: string, metadata: SamlMetadata): Known => {
  const cache = cacheOf(store)
  const now = store.clock.now().getTime()
  const duration = Math.min(Math.max(metadata.cacheDuration ?? USUAL_MS, SHORTEST_MS), LONGEST_MS)
  const known = { metadata, againAt: now + duration, keysAgainAt: now + AGAIN_MS, refresh: undefined }
  cache.delete(key)
  cache.set(key, known)
  for (const [oldest] of cache) {
    if (cache.size <= MOST_KEPT) break
    cache.delete(oldest)
  }
  return known
}

const isUsable = ({ metadata: { validUntil } }: Known, store: Store): boolean =>
  validUntil === undefined || validUntil > store.clock.now().getTime()

const ask = (store: Store, key: string, url: string, entityId: string | undefined): Promise<Known> =>
  step('provider', async () => keep(store, key, await fetched(store, url, entityId)))

/** Asks in the background; a failure keeps what is known. */
const refresh = (store: Store, key: string, known: Known, url: string, entityId: string | undefined): void => {
  known.againAt = store.clock.now().getTime() + AGAIN_MS
  known.refresh ??= ask(store, key, url, entityId).then(
    () => undefined,
    (err: unknown) => {
      known.refresh = undefined
      store.log.warn({ err, url }, 'the metadata of an identity provider could not be renewed')
    },
  )
}

const byAddress = async (store: Store, url: string, entityId: string | undefined, isKeyUnknown: boolean) => {
  const key = `${url} ${entityId ?? ''}`
  const known = cacheOf(store).get(key)
  if (!known || !isUsable(known, store)) return (await ask(store, key, url, entityId)).metadata
  const now = store.clock.now().getTime()
  if (isKeyUnknown) {
    if (now < known.keysAgainAt) return known.metadata
    known.keysAgainAt = now + AGAIN_MS
    return (await ask(store, key, url, entityId)).metadata
  }
  if (now >= known.againAt) refresh(store, key, known, url, entityId)
  return known.metadata
}

/** The certificates in a text of PEM blocks, or one in base64, that signatures are accepted from. */
export const certificatesIn = (text: string): string[] =>
  (text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [text])
    .flatMap((each) => certificateFacts(each) ?? [])
    .filter(({ isUsable: usable }) => usable)
    .map(({ certificate }) => certificate)

/**
 * The identity provider of a connector. Throws FederationFailure where its metadata cannot be had or used.
 * @param isKeyUnknown whether a signature was by a key that is not known: the metadata is then asked for again, at most once a minute
 */
export const samlIdentityProvider = async (
  store: Store,
  { metadataUrl, metadata, entityId, signInEndpoint, x509Certificate }: SamlSource,
  isKeyUnknown = false,
): Promise<SamlIdentityProvider> => {
  if (metadataUrl !== undefined) return byAddress(store, metadataUrl, entityId, isKeyUnknown)
  if (metadata !== undefined) return readSamlMetadata(metadata, store.clock.now(), entityId)
  const certificates = certificatesIn(x509Certificate ?? '')
  if (entityId === undefined || signInEndpoint === undefined || certificates.length === 0)
    throw new FederationFailure('provider', 'the configuration of the connector is incomplete')
  const signIn = { redirect: signInEndpoint }
  return { entityId, signIn, signOut: {}, signOutAnswer: {}, certificates, wantsSignedRequests: false }
}

/** Where users sign in. Throws FederationFailure for an address that is not safe to send them to. */
export const signInAddress = ({ outbound }: Store, { signIn: { redirect, post } }: SamlIdentityProvider): string => {
  const address = redirect ?? post ?? ''
  if (!outbound.isSecureEnough(address))
    throw new FederationFailure('provider', 'the address for signing in is not an https address')
  return address
}
