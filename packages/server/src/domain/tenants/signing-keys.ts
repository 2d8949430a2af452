/**
 * A tenant's signing keys (DECISIONS G1). A key is Next until its time comes, then Current until that of a later key
 * comes, then Previous: the state follows from `effective_at` and the clock, so that nothing has to switch it and every
 * node agrees. All of them are in the JWKS.
 *
 * Keys are grouped in chains, each with its own states. The chain `main` signs access tokens and, unless the client
 * asks for another algorithm, what is for the client: ID tokens, and responses as JWTs. The chain of an algorithm signs that
 * for the clients that ask for that one. A chain is created when the first client asks for it, and every rotation rotates all of them.
 */

import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { SigningAlgorithm } from '@countersign/contract/signing-keys.ts'
import type { JWK } from 'jose'
import { type Selectable, sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Vault } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { readSecuritySettings } from './security-settings.ts'

export type KeyState = 'Next' | 'Current' | 'Previous'

export const MAIN_CHAIN = 'main'

export interface SigningKey {
  /** The `kid`: the RFC 7638 thumbprint. */
  readonly id: string
  /** `main`, or the algorithm of the chain. */
  readonly chain: string
  readonly algorithm: SigningAlgorithm
  readonly publicJwk: JWK
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
  readonly createdAt: Date
  readonly effectiveAt: Date
}

const KEYS_TAG = 'signing-keys'
const purpose = (tenantId: string, id: string) => `signing-key/${tenantId}/${id}`
const generate = promisify(generateKeyPair)

const newKeyPair = (algorithm: SigningAlgorithm): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> => {
  switch (algorithm) {
    case 'RS256':
    case 'PS256':
      return generate('rsa', { modulusLength: 2048 })
    case 'EdDSA':
      return generate('ed25519')
    default:
      return generate('ec', { namedCurve: algorithm === 'ES384' ? 'P-384' : 'P-256' })
  }
}

const fromRow = (vault: Vault, row: Selectable<Tables['signing_keys']>): SigningKey => {
  const privateKey = createPrivateKey(vault.unseal(row.sealed_private_key, purpose(row.tenant_id, row.id)))
  return {
    id: row.id,
    chain: row.chain,
    algorithm: row.algorithm as SigningAlgorithm,
    publicJwk: row.public_jwk,
    publicKey: createPublicKey(privateKey),
    privateKey,
    createdAt: row.created_at,
    effectiveAt: row.effective_at,
  }
}

/** The keys, newest first, from the cache. */
export const signingKeys = (store: Store, { id: tenantId }: Tenant): Promise<readonly SigningKey[]> =>
  store.cache.get(tenantId, 'signing-keys', async () => {
    const rows = await store.database.configuration
      .selectFrom('signing_keys')
      .selectAll()
      .where(inTenant(tenantId))
      .orderBy('effective_at', 'desc')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    return { value: rows.map((row) => fromRow(store.vault, row)), tags: [KEYS_TAG] }
  })

type Placed = Pick<SigningKey, 'chain' | 'effectiveAt'>

/** The key of a chain that signs at a given moment: the newest whose time has come. @param keys newest first */
export const currentKey = <K extends Placed>(keys: readonly K[], now: Date, chain = MAIN_CHAIN): K | undefined =>
  keys.find((key) => key.chain === chain && key.effectiveAt <= now)

export const keyState = <K extends Placed>(keys: readonly K[], key: K, now: Date): KeyState => {
  if (key.effectiveAt > now) return 'Next'
  return key === currentKey(keys, now, key.chain) ? 'Current' : 'Previous'
}

/**
 * The key that signs the ID tokens of a client and its responses as JWTs, never one with an algorithm other than the client's: the main key if it
 * matches, otherwise the newest with that algorithm whose time has come.
 * @param keys newest first
 * @param algorithm undefined: whatever the main key's is
 */
export const idTokenKey = <K extends Placed & Pick<SigningKey, 'algorithm'>>(
  keys: readonly K[],
  algorithm: SigningAlgorithm | undefined,
  now: Date,
): K | undefined => {
  const main = currentKey(keys, now)
  if (algorithm === undefined || main?.algorithm === algorithm) return main
  return keys.find((key) => key.algorithm === algorithm && key.effectiveAt <= now)
}

/** Creates a key that starts to sign at a given moment, within another operation. */
export const addSigningKey = async (
  unit: Unit,
  algorithm: SigningAlgorithm,
  effectiveAt: Date,
  chain = MAIN_CHAIN,
): Promise<void> => {
  const { tx, tenant, now, vault } = unit
  const { calculateJwkThumbprint, exportJWK } = await import('jose')
  const { publicKey, privateKey } = await newKeyPair(algorithm)
  const jwk = await exportJWK(publicKey)
  const id = await calculateJwkThumbprint(jwk)
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await tx
    .insertInto('signing_keys')
    .values({
      tenant_id: tenant.id,
      id,
      chain,
      algorithm,
      public_jwk: JSON.stringify({ ...jwk, kid: id, use: 'sig', alg: algorithm }),
      sealed_private_key: vault.seal(pem, purpose(tenant.id, id)),
      created_at: now,
      effective_at: effectiveAt,
    })
    .execute()
  unit.concerns('signingKey', id)
  unit.changed(KEYS_TAG)
}

/** The rows, newest first; rotations and deletions of one tenant take turns. */
const lockKeys = async ({ tx, tenant }: Unit) => {
  await tx.selectFrom('tenants').select('id').where('id', '=', tenant.id).forNoKeyUpdate().execute()
  const rows = await tx
    .selectFrom('signing_keys')
    .select(['id', 'chain', 'algorithm', 'effective_at as effectiveAt'])
    .where(inTenant(tenant.id))
    .orderBy('effective_at', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({ ...row, algorithm: row.algorithm as SigningAlgorithm }))
}

/** What applications may ask an algorithm of their own for, as members of their metadata: ID tokens, JARM, RFC 9701, userinfo. */
const SIGNED_FOR_CLIENTS = [
  'idTokenSignedResponseAlg',
  'authorizationSignedResponseAlg',
  'introspectionSignedResponseAlg',
  'userinfoSignedResponseAlg',
] as const

/** The algorithms that an application asks for. */
export const algorithmsOf = (
  metadata: Readonly<Partial<Record<(typeof SIGNED_FOR_CLIENTS)[number], SigningAlgorithm>>>,
): SigningAlgorithm[] => [...new Set(SIGNED_FOR_CLIENTS.flatMap((name) => metadata[name] ?? []))]

/** FAPI 2.0 Security Profile section 5.4.1. */
export const FAPI2_ALGORITHMS = ['PS256', 'ES256', 'EdDSA'] as const
export const isFapi2Algorithm = (algorithm: string): boolean =>
  FAPI2_ALGORITHMS.some((permitted) => permitted === algorithm)

/** The algorithms of the keys that sign access tokens, now and next. */
export const mainAlgorithms = async (unit: Unit): Promise<SigningAlgorithm[]> => {
  const keys = await lockKeys(unit)
  const main = keys.filter((key) => key.chain === MAIN_CHAIN && keyState(keys, key, unit.now) !== 'Previous')
  return main.map(({ algorithm }) => algorithm)
}

/** Refuses an algorithm that an application of the profile fapi2 may not get tokens with; 400. */
const assertPermitted = async ({ tx, tenant }: Unit, algorithm: SigningAlgorithm): Promise<void> => {
  if (isFapi2Algorithm(algorithm)) return
  const { profile } = await readSecuritySettings(tx, tenant.id)
  const profiled =
    profile === 'fapi2' ||
    (await tx
      .selectFrom('applications')
      .select('id')
      .where(inTenant(tenant.id))
      .where(sql<boolean>`custom_client_metadata->>'securityProfile' = 'fapi2'`)
      .limit(1)
      .executeTakeFirst())
  if (profiled)
    throw new ApiError('guard.invalid_input', {
      reason: `the tenant or applications of it have the security profile fapi2, which permits ${FAPI2_ALGORITHMS.join(', ')} only`,
      issues: [{ path: '/algorithm', reason: 'is not permitted by the security profile fapi2' }],
    })
}

/** The algorithms that the tenant's applications ask for. */
const askedAlgorithms = async (db: Db, { id: tenantId }: Tenant): Promise<SigningAlgorithm[]> => {
  const { rows } = await sql<{ algorithm: SigningAlgorithm }>`
    SELECT DISTINCT custom_client_metadata->>member AS algorithm
    FROM applications, unnest(${[...SIGNED_FOR_CLIENTS]}::text[]) AS asked (member)
    WHERE tenant_id = ${tenantId} AND custom_client_metadata->>member IS NOT NULL`.execute(db)
  return rows.map((row) => row.algorithm)
}

/** The algorithms that the tenant's applications ask for and no key in use has: their users get no ID token. */
export const unsignedAlgorithms = async (store: Store, tenant: Tenant): Promise<SigningAlgorithm[]> => {
  const [keys, asked] = await Promise.all([signingKeys(store, tenant), askedAlgorithms(store.database.kysely, tenant)])
  return asked.filter((algorithm) => !idTokenKey(keys, algorithm, store.clock.now()))
}

/**
 * Creates the chain for an algorithm that an application has just asked for, unless it exists, or every main key,
 * current and next, has that algorithm anyway. Its first key signs at once, because no other key could sign until then.
 */
export const ensureChain = async (unit: Unit, algorithm: SigningAlgorithm): Promise<void> => {
  const keys = await lockKeys(unit)
  if (keys.some(({ chain }) => chain === algorithm)) return
  if ((await mainAlgorithms(unit)).every((each) => each === algorithm)) return
  await addSigningKey(unit, algorithm, unit.now, algorithm)
}

/**
 * Creates a new key in every chain, which is Next for the grace period and then Current. A key that is still Next has
 * signed nothing and is replaced. If the main key will no longer have an algorithm that a client asks for, the chain
 * of that algorithm starts at the same moment.
 * @param algorithm of the main chain; default: that of the current key
 * @param gracePeriod seconds; if shorter than verifiers cache a JWKS, they may encounter an unknown key
 */
export const rotateSigningKeys = operation(
  [],
  async (unit, algorithm: SigningAlgorithm | undefined, gracePeriod: number): Promise<void> => {
    const { tx, tenant, now } = unit
    const keys = await lockKeys(unit)
    await tx.deleteFrom('signing_keys').where(inTenant(tenant.id)).where('effective_at', '>', now).execute()
    const chosen = algorithm ?? currentKey(keys, now)?.algorithm ?? 'ES256'
    await assertPermitted(unit, chosen)
    const asked = (await askedAlgorithms(tx, tenant)).filter((each) => each !== chosen)
    const kept = keys.filter(({ chain, effectiveAt }) => chain !== MAIN_CHAIN && effectiveAt <= now)
    const chains = new Set([...kept.map((key) => key.algorithm), ...asked])
    const effectiveAt = secondsAfter(now, gracePeriod)
    unit.note({ algorithm: chosen })
    await addSigningKey(unit, chosen, effectiveAt)
    for (const each of chains) await addSigningKey(unit, each, effectiveAt, each)
  },
)

/** Deletes a Previous key: tokens signed with it are refused from then on. Throws 404, 422. */
export const deleteSigningKey = operation([], async (unit, id: string): Promise<void> => {
  const keys = await lockKeys(unit)
  const key = keys.find((candidate) => candidate.id === id)
  if (!key) throw new ApiError('oidc.key_not_found', { id })
  if (keyState(keys, key, unit.now) !== 'Previous') throw new ApiError('oidc.only_previous_key_can_be_deleted', { id })
  await unit.tx.deleteFrom('signing_keys').where(inTenant(unit.tenant.id)).where('id', '=', id).execute()
  unit.changed(KEYS_TAG)
})
