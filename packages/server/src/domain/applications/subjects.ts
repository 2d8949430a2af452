/**
 * Under which identifier an application knows a user (OpenID Connect Core section 8, DECISIONS F26): the user's id or, for a
 * pairwise one, that id encrypted for the application's sector, so that applications of different sectors cannot compare notes.
 * Only this installation can decrypt it, for `id_token_hint`, `claims` and support, without a table.
 */
import type { InputIssueCode } from '@countersign/contract/input-issues.ts'
import { ApiError } from '../../kernel/api-error.ts'
import type { Vault } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { httpUriObjection } from './redirect-uris.ts'
import type { ApplicationType, ClientMetadata } from './rows.ts'

interface Keys {
  readonly vault: Pick<Vault, 'authenticate'>
}
/** Of a client; undefined: its subjects are public. */
interface Sector {
  readonly sector?: string | undefined
}

/** Bytes of the synthetic initialization vector, which also authenticates what is decrypted. */
const IV = 16
/** As many as the pad has: no id of a user is longer. */
const LONGEST_ID = 32

const ivOf = ({ vault }: Keys, { id }: Tenant, sector: string, userId: Buffer): Buffer =>
  vault.authenticate(`${id}/${sector}/${userId.toString('hex')}`, 'pairwise-subject').subarray(0, IV)

/** The id with a pad that depends on the vector: its own inverse. */
const masked = ({ vault }: Keys, { id }: Tenant, sector: string, iv: Buffer, text: Buffer): Buffer => {
  const pad = vault.authenticate(`${id}/${sector}/${iv.toString('hex')}`, 'pairwise-subject-pad')
  return Buffer.from(text.map((byte, index) => byte ^ (pad[index] ?? 0)))
}

/** `sub` for an application: always the same for the same user, tenant and sector. */
export const subjectFor = (keys: Keys, tenant: Tenant, { sector }: Sector, userId: string): string => {
  if (sector === undefined) return userId
  const id = Buffer.from(userId)
  if (id.length > LONGEST_ID) throw new Error('the id of a user is too long for a pairwise subject')
  const iv = ivOf(keys, tenant, sector, id)
  return Buffer.concat([iv, masked(keys, tenant, sector, iv, id)]).toString('base64url')
}

/**
 * The id of the user whom an application names; undefined for a subject that this tenant never gave an application of its sector. Does
 * not check that the user exists.
 */
export const userOfSubject = (keys: Keys, tenant: Tenant, { sector }: Sector, subject: string): string | undefined => {
  if (sector === undefined) return subject
  const bytes = Buffer.from(subject, 'base64url')
  const isSound = bytes.toString('base64url') === subject && bytes.length > IV && bytes.length <= IV + LONGEST_ID
  if (!isSound) return undefined
  const iv = bytes.subarray(0, IV)
  const id = masked(keys, tenant, sector, iv, bytes.subarray(IV))
  return ivOf(keys, tenant, sector, id).equals(iv) ? id.toString() : undefined
}

/** Of an application, as far as its sector depends on it. */
export interface Sectored {
  readonly type: ApplicationType
  readonly redirectUris: readonly string[]
  readonly metadata: Pick<ClientMetadata, 'subjectType' | 'sectorIdentifierUri'>
}

/** The host of a redirect URI that is a web address without a wildcard in its host. */
const hostOf = (uri: string): string | undefined => {
  const host = /^https?:/i.test(uri) && URL.canParse(uri) ? new URL(uri).hostname : undefined
  return host?.includes('*') ? undefined : host
}

/**
 * The sector of an application with pairwise subjects (section 8.1): the host of its sector identifier, or the one host of its
 * redirect URIs. Undefined: its subjects are public, or it has none.
 */
export const sectorOf = ({ type, redirectUris, metadata }: Sectored): string | undefined => {
  const { subjectType, sectorIdentifierUri } = metadata
  if (subjectType !== 'pairwise') return undefined
  if (sectorIdentifierUri !== undefined) return hostOf(sectorIdentifierUri)
  const [host, ...others] = new Set(redirectUris.map(hostOf))
  // what runs on a device has no host of its own: all that listen on loopback would be one sector
  return type === 'Native' || others.length > 0 ? undefined : host
}

const refuse = (member: keyof Sectored['metadata'], reason: string, code?: InputIssueCode): ApiError =>
  new ApiError('guard.invalid_input', {
    reason: `${member} ${reason}`,
    issues: [{ path: `/customClientMetadata/${member}`, reason, ...(code === undefined ? {} : { code }) }],
  })

/** Throws 400 for an application whose pairwise subjects would have no sector. */
export const assertSector = (application: Sectored): void => {
  const { type, metadata } = application
  const { subjectType, sectorIdentifierUri } = metadata
  const objection = sectorIdentifierUri === undefined ? undefined : httpUriObjection(sectorIdentifierUri)
  if (objection !== undefined) throw refuse('sectorIdentifierUri', objection.reason, objection.code)
  if (subjectType !== 'pairwise') return
  if (type === 'MachineToMachine') throw refuse('subjectType', 'is for applications that users sign in to')
  if (sectorOf(application) === undefined)
    throw refuse('sectorIdentifierUri', 'is required unless all redirect URIs have the same host', 'sector_missing')
}

/**
 * Throws 400 for a change that would silently give every user another identifier; changing subjectType does so openly.
 */
export const assertSameSector = (before: Sectored, after: Sectored): void => {
  const [from, to] = [sectorOf(before), sectorOf(after)]
  if (from !== undefined && to !== undefined && from !== to)
    throw refuse(
      'sectorIdentifierUri',
      `must keep the host ${from}: with ${to} the application would know no user again; switch subjectType to public first if you mean it`,
    )
}
