/**
 * What is known of identity providers. Metadata that has an address is kept in memory and in the database, and asked for again before it
 * is out of date, in the background: users wait for it only the first time, and a provider that cannot be reached remains as it was last
 * known, for at most fourteen days (DECISIONS P16).
 */
import { certificateFacts } from '../../../kernel/certificates.ts'
import { secondsAfter } from '../../../kernel/clock.ts'
import type { Outbound } from '../../../kernel/outbound.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Store } from '../../../storage/store.ts'
import type { Work } from '../../../storage/unit-of-work.ts'
import { FederationFailure } from '../failure.ts'
import { step } from '../step.ts'
import { type FetchedMetadata, KEPT_SECONDS, keepMetadata, keptMetadata } from './kept-metadata.ts'
import { MOST_METADATA_BYTES, readSamlMetadata, type SamlMetadata } from './metadata.ts'
import type { SamlIdentityProvider, SamlSource } from './provider.ts'

const TIMEOUT_MS = 10_000
const SHORTEST_MS = 300_000
const USUAL_MS = 3_600_000
const LONGEST_MS = 86_400_000
/** After a failure, and for a key that is not known. */
const AGAIN_MS = 60_000
const MOST_KEPT = 1000

interface Known extends FetchedMetadata {
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

/** Metadata at an address, as a tenant has it. */
interface Published {
  readonly tenant: Tenant
  readonly url: string
  /** Which provider is meant; undefined: the only one. */
  readonly entityId: string | undefined
}

const addressOf = ({ url, entityId = '' }: Published): string => `${url} ${entityId}`
const keyOf = (published: Published): string => `${published.tenant.id} ${addressOf(published)}`

const fetched = async ({ outbound, clock }: Store, { url, entityId }: Published): Promise<FetchedMetadata> => {
  const fetchedAt = clock.now()
  const answer = await outbound.send({
    url,
    method: 'GET',
    headers: { accept: 'application/samlmetadata+xml, application/xml;q=0.9, */*;q=0.1' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    mostBytes: MOST_METADATA_BYTES,
  })
  if (answer.status !== 200) throw new FederationFailure('provider', `the metadata address answered ${answer.status}`)
  if (answer.isCut) throw new FederationFailure('provider', 'the metadata is longer than 1 MiB')
  return { metadata: readSamlMetadata(answer.body.toString('utf8'), clock.now(), entityId), fetchedAt }
}

const remember = (store: Store, published: Published, { metadata, fetchedAt }: FetchedMetadata): Known => {
  const [cache, key] = [cacheOf(store), keyOf(published)]
  const duration = Math.min(Math.max(metadata.cacheDuration ?? USUAL_MS, SHORTEST_MS), LONGEST_MS)
  const [againAt, keysAgainAt] = [fetchedAt.getTime() + duration, fetchedAt.getTime() + AGAIN_MS]
  const known = { metadata, fetchedAt, againAt, keysAgainAt, refresh: undefined }
  cache.delete(key)
  cache.set(key, known)
  for (const [oldest] of cache) {
    if (cache.size <= MOST_KEPT) break
    cache.delete(oldest)
  }
  return known
}

const isUsable = ({ metadata: { validUntil }, fetchedAt }: FetchedMetadata, { clock }: Store): boolean => {
  const now = clock.now()
  return (validUntil === undefined || validUntil > now.getTime()) && secondsAfter(fetchedAt, KEPT_SECONDS) > now
}

const ask = async (store: Store, published: Published): Promise<Known> => {
  const found = await step('provider', () => fetched(store, published))
  await keepMetadata(store, published.tenant, addressOf(published), found)
  return remember(store, published, found)
}

/** Asks in the background; a failure keeps what is known. */
const refresh = (store: Store, published: Published, known: Known): void => {
  known.againAt = store.clock.now().getTime() + AGAIN_MS
  known.refresh ??= ask(store, published).then(
    () => undefined,
    (err: unknown) => {
      known.refresh = undefined
      store.log.warn({ err, url: published.url }, 'the metadata of an identity provider could not be renewed')
    },
  )
}

/** What this process knows, or what another has left in the database. */
const knownOf = async (store: Store, published: Published): Promise<Known | undefined> => {
  const known = cacheOf(store).get(keyOf(published))
  if (known) return isUsable(known, store) ? known : undefined
  const kept = await keptMetadata(store, published.tenant, addressOf(published))
  return kept && isUsable(kept, store) ? remember(store, published, kept) : undefined
}

const byAddress = async (store: Store, published: Published, isKeyUnknown: boolean): Promise<SamlMetadata> => {
  const known = await knownOf(store, published)
  if (!known) return (await ask(store, published)).metadata
  const now = store.clock.now().getTime()
  if (isKeyUnknown) {
    if (now < known.keysAgainAt) return known.metadata
    known.keysAgainAt = now + AGAIN_MS
    return (await ask(store, published)).metadata
  }
  if (now >= known.againAt) refresh(store, published, known)
  return known.metadata
}

/** The certificates in a text of PEM blocks, or one in base64, that signatures are accepted from. */
export const certificatesIn = (text: string): string[] =>
  (text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [text])
    .flatMap((each) => certificateFacts(each) ?? [])
    .filter(({ isUsable: usable }) => usable)
    .map(({ certificate }) => certificate)

const withoutAddress = ({ clock }: Store, source: SamlSource): SamlIdentityProvider => {
  const { metadata, entityId, signInEndpoint, x509Certificate } = source
  if (metadata !== undefined) return readSamlMetadata(metadata, clock.now(), entityId)
  const certificates = certificatesIn(x509Certificate ?? '')
  if (entityId === undefined || signInEndpoint === undefined || certificates.length === 0)
    throw new FederationFailure('provider', 'the configuration of the connector is incomplete')
  const signIn = { redirect: signInEndpoint }
  return { entityId, signIn, signOut: {}, signOutAnswer: {}, certificates, wantsSignedRequests: false }
}

/**
 * The identity provider of a connector. Throws FederationFailure where its metadata cannot be had or used.
 * @param isKeyUnknown whether a signature was by a key that is not known: the metadata is then asked for again, at most once a minute
 */
export const samlIdentityProvider = async (
  { store, tenant }: Pick<Work, 'store' | 'tenant'>,
  source: SamlSource,
  isKeyUnknown = false,
): Promise<SamlIdentityProvider> => {
  const { metadataUrl: url, entityId } = source
  return url === undefined ? withoutAddress(store, source) : byAddress(store, { tenant, url, entityId }, isKeyUnknown)
}

/** What is known of it, without asking anyone; undefined: nothing is. Throws FederationFailure for what is configured and cannot be used. */
export const knownIdentityProvider = async (
  { store, tenant }: Pick<Work, 'store' | 'tenant'>,
  source: SamlSource,
): Promise<SamlIdentityProvider | undefined> => {
  const { metadataUrl: url, entityId } = source
  return url === undefined ? withoutAddress(store, source) : (await knownOf(store, { tenant, url, entityId }))?.metadata
}

/** The same as it is published now, whatever is known. Keeps nothing. */
export const publishedIdentityProvider = async (
  { store, tenant }: Pick<Work, 'store' | 'tenant'>,
  source: SamlSource,
): Promise<SamlIdentityProvider> => {
  const { metadataUrl: url, entityId } = source
  if (url === undefined) return withoutAddress(store, source)
  return (await step('provider', () => fetched(store, { tenant, url, entityId }))).metadata
}

/** Where users sign in. Throws FederationFailure for an address that is not safe to send them to. */
export const signInAddress = ({ outbound }: Store, { signIn: { redirect, post } }: SamlIdentityProvider): string => {
  const address = redirect ?? post ?? ''
  if (!outbound.isSecureEnough(address))
    throw new FederationFailure('provider', 'the address for signing in is not an https address')
  return address
}
