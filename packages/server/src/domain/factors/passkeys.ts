/**
 * WebAuthn credentials (Web Authentication Level 3): made and proved in the browser, verified here. All are discoverable and
 * verify the user, so that each is a second factor and enough to sign in with. No attestation is asked for.
 */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { lazyLibrary } from '../../kernel/lazy-library.ts'
import type { Vault } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { tellOwner } from '../users/owner-notices.ts'
import { providerName } from './passkey-providers.ts'

const webauthn = lazyLibrary<typeof import('@simplewebauthn/server')>('@simplewebauthn/server')
const helpers = lazyLibrary<typeof import('@simplewebauthn/server/helpers')>('@simplewebauthn/server/helpers')

const TIMEOUT_MILLISECONDS = 60_000
/** EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257]

/** The names of this server for authenticators: its host, and the origin that is ours (SECURITY R-35). */
const partyOf = ({ baseUrl }: Tenant) => {
  const { hostname, origin } = new URL(baseUrl)
  return { id: hostname, origin }
}

/** The name under which a browser keeps credentials for the tenant. */
export const relyingPartyId = (tenant: Tenant): string => partyOf(tenant).id

/** Whether bytes are a public key of a kind that is asked for, as an authenticator gives it (RFC 9052 section 7). */
export const isCredentialPublicKey = (bytes: Uint8Array<ArrayBuffer>): boolean => {
  const { cose, decodeCredentialPublicKey } = helpers()
  try {
    return ALGORITHMS.includes(decodeCredentialPublicKey(bytes).get(cose.COSEKEYS.alg) ?? 0)
  } catch {
    return false
  }
}

/** Of what a challenge is. */
export interface Ceremony {
  readonly tenant: Tenant
  /** Other origins where it may take place, compared exactly (SECURITY R-35). */
  readonly relatedOrigins: readonly string[]
  readonly vault: Vault
  readonly interactionId: string
}

/**
 * The challenge of an interaction: no one can foresee it, and an answer to it is worth nothing in any other interaction. It is
 * the same until the interaction ends, so that a page can be shown without anything being kept.
 */
const challengeOf = (
  { tenant, vault, interactionId }: Ceremony,
  type: 'create' | 'get',
): { bytes: Uint8Array<ArrayBuffer>; text: string } => {
  const mac = vault.authenticate(`${tenant.id}/${interactionId}/${type}`, 'webauthn-challenge')
  return { bytes: new Uint8Array(mac), text: mac.toString('base64url') }
}

/** What a browser is asked to make a credential with. */
export const creationOptions = (
  ceremony: Ceremony,
  owner: { readonly handle: string; readonly name: string },
  known: readonly Buffer[],
): Promise<PublicKeyCredentialCreationOptionsJSON> => {
  const { id } = partyOf(ceremony.tenant)
  return webauthn().generateRegistrationOptions({
    rpName: id,
    rpID: id,
    userID: new Uint8Array(Buffer.from(owner.handle)),
    userName: owner.name,
    userDisplayName: owner.name,
    challenge: challengeOf(ceremony, 'create').bytes,
    timeout: TIMEOUT_MILLISECONDS,
    attestationType: 'none',
    excludeCredentials: known.map((each) => ({ id: each.toString('base64url') })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/** What a browser is asked to prove a credential with. @param known those that will do; none: any discoverable one */
export const requestOptions = (
  ceremony: Ceremony,
  known: readonly { readonly id: Buffer; readonly transports: readonly string[] }[] = [],
): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  webauthn().generateAuthenticationOptions({
    rpID: partyOf(ceremony.tenant).id,
    challenge: challengeOf(ceremony, 'get').bytes,
    timeout: TIMEOUT_MILLISECONDS,
    userVerification: 'required',
    allowCredentials: known.map(({ id, transports }) => ({
      id: id.toString('base64url'),
      transports: transports as NonNullable<RegistrationResponseJSON['response']['transports']>,
    })),
  })

/** A credential that was made: what of it is kept. */
export interface NewCredential {
  /** In base64url. */
  readonly credentialId: string
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
  readonly rpId: string
  /** What the user calls it, or what its authenticator is called. */
  readonly name?: string
}

/** What the library finds; undefined: it refuses the answer, whatever it says of it. */
const verified = async <T>(verify: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await verify()
  } catch {
    return undefined
  }
}

/** The credential that an answer of a browser brings. Throws 400 `session.mfa.webauthn_verification_failed`. */
export const verifyCreation = async (
  ceremony: Ceremony,
  response: RegistrationResponseJSON,
): Promise<NewCredential> => {
  const { id: rpId, origin } = partyOf(ceremony.tenant)
  const verification = await verified(() =>
    webauthn().verifyRegistrationResponse({
      response,
      expectedChallenge: challengeOf(ceremony, 'create').text,
      expectedOrigin: [origin, ...ceremony.relatedOrigins],
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (!verification?.registrationInfo) throw new ApiError('session.mfa.webauthn_verification_failed')
  const { credential, aaguid } = verification.registrationInfo
  const { id, counter, transports = [] } = credential
  const publicKey = Buffer.from(credential.publicKey).toString('base64url')
  const name = providerName(aaguid)
  return { credentialId: id, publicKey, counter, transports, rpId, ...(name === undefined ? {} : { name }) }
}

/** Gives a user a credential. Throws 422 `user.passkey_already_in_use` where an account has it. @param id of the factor */
export const addPasskey = async (
  unit: Unit,
  userId: string,
  id: string,
  { credentialId, publicKey, counter, transports, rpId, name }: NewCredential,
  agent: string | null,
): Promise<void> => {
  const { tx, tenant, now } = unit
  const inserted = await tx
    .insertInto('factors')
    .values({
      tenant_id: tenant.id,
      id,
      user_id: userId,
      type: 'WebAuthn',
      credential_id: Buffer.from(credentialId, 'base64url'),
      public_key: Buffer.from(publicKey, 'base64url'),
      counter,
      transports: [...transports],
      rp_id: rpId,
      agent,
      name: name ?? null,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'credential_id']).where('credential_id', 'is not', null).doNothing(),
    )
    .returning('id')
    .execute()
  if (inserted.length === 0) throw new ApiError('session.mfa.bind_mfa_existed')
  await tellOwner(unit, userId, 'factorAdded', { subject: id })
}

/** The credentials of a user. */
export const credentialsOf = async (db: Db, tenantId: string, userId: string) => {
  const { rows } = await sql<{ id: Buffer; transports: string[] }>`/* prepared */
    SELECT credential_id AS id, transports FROM factors
    WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND type = 'WebAuthn'`.execute(db)
  return rows
}

interface StoredCredential {
  readonly id: string
  readonly user_id: string
  readonly credential_id: Buffer
  readonly public_key: Buffer
  readonly counter: number
}

/**
 * Whose credential proves an answer of a browser, and which it is; undefined: none. Its counter goes up by one statement: an
 * answer whose counter is not above what is kept proves nothing (a copy of the authenticator).
 * @param userId whose it must be; undefined: anyone's
 */
export const usePasskey = async (
  unit: Unit,
  ceremony: Ceremony,
  response: AuthenticationResponseJSON,
  userId?: string,
): Promise<{ readonly userId: string; readonly factorId: string } | undefined> => {
  const { tx, tenant, now } = unit
  const { rows } = await sql<StoredCredential>`/* prepared */
    SELECT id, user_id, credential_id, public_key, counter FROM factors
    WHERE tenant_id = ${tenant.id} AND credential_id = ${Buffer.from(response.id, 'base64url')}`.execute(tx)
  const [row] = rows
  if (!row || (userId !== undefined && row.user_id !== userId)) return undefined
  const { id: expectedRPID, origin } = partyOf(tenant)
  const verification = await verified(() =>
    webauthn().verifyAuthenticationResponse({
      response,
      expectedChallenge: challengeOf(ceremony, 'get').text,
      expectedOrigin: [origin, ...ceremony.relatedOrigins],
      expectedRPID,
      requireUserVerification: true,
      credential: {
        id: row.credential_id.toString('base64url'),
        publicKey: new Uint8Array(row.public_key),
        counter: row.counter,
      },
    }),
  )
  if (!verification?.verified) return undefined
  const { newCounter } = verification.authenticationInfo
  const used = await sql`
    UPDATE factors SET counter = ${newCounter}, last_used_at = ${now}
    WHERE tenant_id = ${tenant.id} AND id = ${row.id} AND (counter < ${newCounter} OR (counter = 0 AND ${newCounter} = 0))
    RETURNING id`.execute(tx)
  return used.rows.length > 0 ? { userId: row.user_id, factorId: row.id } : undefined
}
