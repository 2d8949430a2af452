/**
 * Applications that registered themselves (RFC 7591, RFC 7592): third-party always, without roles, managed with a token of their
 * own that changes with every change (DECISIONS Y1 to Y5).
 */
import type { ApplicationCreate, ApplicationRegistration } from '@countersign/contract/applications.ts'
import type { RegistrationPolicy, RegistrationSettings } from '@countersign/contract/client-registration.ts'
import type { USER_SCOPES } from '@countersign/contract/user-consent-scopes.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { ApiError } from '../../kernel/api-error.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { isDocumentId } from '../../kernel/document-ids.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import { newHashedOpaque, opaqueHash } from '../../kernel/opaque.ts'
import { matchesHash } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { addConsentScopes } from '../access/consent-scopes.ts'
import { createApplication, updateApplication } from '../applications/applications.ts'
import type { Client } from '../applications/clients.ts'
import { type ApplicationRow, applicationTag } from '../applications/rows.ts'
import { listSecretsOf } from '../applications/secrets.ts'
import { deleteApplication } from '../organizations/deletions.ts'
import { useInitialAccessToken } from './initial-access-tokens.ts'
import { lockRegistrationSettings, permissionsOfPolicy } from './settings.ts'

const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400

/** What a client asks to be registered as, once it was checked against its policy. */
export interface WantedClient {
  readonly application: Static<typeof ApplicationCreate>
  /** Without `scope`, which follows from `scopes`. */
  readonly registration: Omit<Static<typeof ApplicationRegistration>, 'scope'>
  /** The names that it asked for; undefined: all that it may have. */
  readonly scopes: readonly string[] | undefined
}

/** A client as it is registered, with what is shown to it alone. */
export interface RegisteredClient {
  readonly row: ApplicationRow
  /** Of its management. */
  readonly registrationToken: string
  /** Of a client that authenticates with one, where it is shown. */
  readonly secret: string | undefined
}

const summaryOf = ({ id, type, name, description }: ApplicationRow) => ({ id, type, name, description })

/** The one refusal of a registration access token, whatever is wrong with it (RFC 7592 section 2.1). */
export const refusedRegistrationToken = (reason?: string): OAuthError =>
  new OAuthError('invalid_token', 'the token is not valid here', {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    ...(reason === undefined ? {} : { reason }),
  })

/** Refuses a registration beyond the limits of the tenant (DECISIONS Y3); the settings are locked. */
const assertRoom = async (
  { tx, tenant, now }: Unit,
  { maxClients, openRegistrationsPerHour }: RegistrationSettings,
  hasToken: boolean,
): Promise<void> => {
  const { rows } = await sql<{ all: number; lately: number }>`
    SELECT count(*)::integer AS all, (count(*) FILTER (
      WHERE initial_access_token_id IS NULL AND registered_at > ${secondsAfter(now, -HOUR_SECONDS)}))::integer AS lately
    FROM registered_clients WHERE tenant_id = ${tenant.id}`.execute(tx)
  const { all = 0, lately = 0 } = rows[0] ?? {}
  if (all >= maxClients)
    throw new OAuthError('access_denied', 'as many clients are registered as may be', { status: 403 })
  if (!hasToken && lately >= openRegistrationsPerHour)
    throw new ApiError('request.rate_limited', { retryAfter: HOUR_SECONDS })
}

const NEEDS_NO_CONSENT = ['openid', 'offline_access']

/**
 * Lets the client ask users for what it wants and its policy permits, and for nothing else; returns the names. What it wants beyond that
 * is left out (RFC 7591 section 2, `scope`).
 */
const allowScopes = async (
  unit: Unit,
  id: string,
  policy: RegistrationPolicy,
  scopes: WantedClient['scopes'],
): Promise<string> => {
  const isWanted = (name: string) => scopes === undefined || scopes.includes(name)
  const userScopes = policy.userScopes.filter(isWanted) as (typeof USER_SCOPES)[number][]
  const permissions = (await permissionsOfPolicy(unit, policy)).filter(({ name }) => isWanted(name))
  const { tx, tenant } = unit
  for (const table of ['applications_consent_user_scopes', 'applications_consent_resource_scopes'] as const)
    await tx.deleteFrom(table).where(inTenant(tenant.id)).where('application_id', '=', id).execute()
  await addConsentScopes.run(unit, id, { userScopes, resourceScopes: permissions.map((one) => one.id) })
  const names = [...NEEDS_NO_CONSENT.filter(isWanted), ...userScopes, ...permissions.map(({ name }) => name)]
  return [...new Set(names)].join(' ')
}

/** Stores what the client said of itself. */
const storeRegistration = async (
  { tx, tenant, changed }: Unit,
  id: string,
  registration: Static<typeof ApplicationRegistration>,
): Promise<ApplicationRow> => {
  changed(applicationTag(id))
  return tx
    .updateTable('applications')
    .set({ registration: JSON.stringify(registration) })
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

const SECRET_METHODS: readonly unknown[] = [undefined, 'client_secret_basic', 'client_secret_post']
const usesSecret = ({ type, custom_client_metadata: { tokenEndpointAuthMethod } }: ApplicationRow): boolean =>
  type === 'Traditional' && SECRET_METHODS.includes(tokenEndpointAuthMethod)

const secretOf = async (unit: Unit, row: ApplicationRow): Promise<string | undefined> =>
  usesSecret(row) ? (await listSecretsOf(unit, row.id))[0]?.value : undefined

/**
 * Registers a client. Throws OAuthError 401 for an initial access token that cannot be used, 403 where the tenant has no room or has
 * closed registration meanwhile; ApiError 429 for too many without a token, 400 for settings that an application cannot have.
 * @param token undefined: without one, which only a tenant with open registration permits
 * @param wanted as its policy permits, which is not checked again
 */
export const registerClient = operation(
  ['Application.Registered'],
  async (unit, token: string | undefined, wanted: WantedClient): Promise<RegisteredClient> => {
    const { tx, tenant, now } = unit
    const settings = await lockRegistrationSettings(unit)
    if (settings.mode === 'closed' || (token === undefined && settings.mode !== 'open'))
      throw new OAuthError('access_denied', 'registration is closed', { status: 403 })
    const initial = token === undefined ? undefined : await useInitialAccessToken(unit, token)
    if (token !== undefined && !initial) throw refusedRegistrationToken('the initial access token is used up')
    await assertRoom(unit, settings, initial !== undefined)
    const policy = initial?.policy ?? settings.policy
    const created = await createApplication.run(unit, wanted.application)
    const scope = await allowScopes(unit, created.id, policy, wanted.scopes)
    const row = await storeRegistration(unit, created.id, { ...wanted.registration, scope })
    const { value: registrationToken, hash } = newHashedOpaque('registrationToken')
    await tx
      .insertInto('registered_clients')
      .values({
        tenant_id: tenant.id,
        application_id: row.id,
        token_hash: hash,
        initial_access_token_id: initial?.id ?? null,
        policy: JSON.stringify(policy),
        registered_at: now,
        last_used_at: null,
      })
      .execute()
    unit.note({ initialAccessTokenId: initial?.id, softwareId: wanted.registration.softwareId })
    unit.emit('Application.Registered', { data: summaryOf(row), initialAccessTokenId: initial?.id ?? null })
    return { row, registrationToken, secret: await secretOf(unit, row) }
  },
)

/** A client that its registration access token manages. */
export interface ManagedClient {
  readonly row: ApplicationRow
  /** Of when it was registered. */
  readonly policy: RegistrationPolicy
}

/** The client with this id and this registration access token. Throws OAuthError 401 for anything else (RFC 7592 section 2.1). */
export const findManagedClient = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  id: string,
  token: string,
): Promise<ManagedClient> => {
  const [registered, row] = await Promise.all([
    database.kysely
      .selectFrom('registered_clients')
      .select(['token_hash', 'policy'])
      .where(inTenant(tenantId))
      .where('application_id', '=', id)
      .executeTakeFirst(),
    database.kysely
      .selectFrom('applications')
      .selectAll()
      .where(inTenant(tenantId))
      .where('id', '=', id)
      .executeTakeFirst(),
  ])
  if (!registered || !row || !opaqueHash('registrationToken', token) || !matchesHash(token, registered.token_hash))
    throw refusedRegistrationToken()
  return { row, policy: registered.policy }
}

/** Replaces the token in one statement: of two changes with the same token one succeeds. Throws OAuthError 401. */
const rotateToken = async ({ tx, tenant }: Unit, id: string, token: string): Promise<string> => {
  const before = opaqueHash('registrationToken', token)
  const { value, hash } = newHashedOpaque('registrationToken')
  const rotated =
    before &&
    (await tx
      .updateTable('registered_clients')
      .set({ token_hash: hash })
      .where(inTenant(tenant.id))
      .where('application_id', '=', id)
      .where('token_hash', '=', before)
      .returning('application_id')
      .executeTakeFirst())
  if (!rotated) throw refusedRegistrationToken('the token was used for another change')
  return value
}

/**
 * Replaces what a client registered, and its token. What an operator has set beside that stays. Throws OAuthError 401, ApiError 400 as
 * registerClient. A secret is shown to a client that had none to use before.
 */
export const replaceRegistration = operation(
  [],
  async (unit, managed: ManagedClient, token: string, wanted: WantedClient): Promise<RegisteredClient> => {
    const { id } = managed.row
    const registrationToken = await rotateToken(unit, id, token)
    const { name, oidcClientMetadata, customClientMetadata } = wanted.application
    // an address that was left out is removed, where an update of an application would keep it
    const addresses = { backchannelLogoutUri: '', logoUri: '', ...oidcClientMetadata }
    const change = { name, oidcClientMetadata: addresses, customClientMetadata }
    const changed = await updateApplication.run(unit, id, change)
    const scope = await allowScopes(unit, id, managed.policy, wanted.scopes)
    const row = await storeRegistration(unit, changed.id, { ...wanted.registration, scope })
    return { row, registrationToken, secret: usesSecret(managed.row) ? undefined : await secretOf(unit, row) }
  },
)

/** Deletes a client at its own request, with all tokens and grants (RFC 7592 section 2.3). Throws OAuthError 401. */
export const unregisterClient = operation(
  ['Application.Unregistered', 'Organization.Membership.Updated'],
  async (unit, { row }: ManagedClient, token: string): Promise<void> => {
    await rotateToken(unit, row.id, token)
    await deleteApplication.run(unit, row.id)
    unit.emit('Application.Unregistered', { data: summaryOf(row), reason: 'client' })
  },
)

/** Deletes a client that nobody has used since it was registered; nothing if somebody has, or it is gone. */
export const removeUnusedClient = operation(
  ['Application.Unregistered', 'Organization.Membership.Updated'],
  async (unit, id: string, before: Date): Promise<boolean> => {
    const { tx, tenant } = unit
    const row = await tx
      .selectFrom('registered_clients as r')
      .innerJoin('applications as a', (join) =>
        join.onRef('a.tenant_id', '=', 'r.tenant_id').onRef('a.id', '=', 'r.application_id'),
      )
      .selectAll('a')
      .where(inTenant(tenant.id, 'r'))
      .where('r.application_id', '=', id)
      .where('r.last_used_at', 'is', null)
      .where('r.registered_at', '<', before)
      .forUpdate('r')
      .executeTakeFirst()
    if (!row) return false
    await deleteApplication.run(unit, id)
    unit.emit('Application.Unregistered', { data: summaryOf(row), reason: 'unused' })
    return true
  },
)

/** Records that tokens were issued to a registered client, once a day; nothing for any other. */
export const noteUse = (unit: Unit, { id, grantTypes }: Pick<Client, 'id' | 'grantTypes'>): void => {
  if (!grantTypes || isDocumentId(id)) return
  unit.send(
    sql`UPDATE registered_clients SET last_used_at = ${unit.now}
      WHERE tenant_id = ${unit.tenant.id} AND application_id = ${id}
        AND (last_used_at IS NULL OR last_used_at < ${secondsAfter(unit.now, -DAY_SECONDS)})`.execute(unit.tx),
  )
}
