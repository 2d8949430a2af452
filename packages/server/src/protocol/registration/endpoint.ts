/**
 * The client registration endpoint (RFC 7591 section 3, OpenID Connect Registration section 3), and the endpoint of each registered client
 * (RFC 7592 section 2).
 */
import type { RegistrationPolicy } from '@countersign/contract/client-registration.ts'
import { findClient } from '../../domain/applications/clients.ts'
import { assertSectorDocument } from '../../domain/applications/sector-identifiers.ts'
import { countClientRegistration } from '../../domain/credentials/address-failures.ts'
import { policyOfToken } from '../../domain/registered-clients/initial-access-tokens.ts'
import {
  findManagedClient,
  type ManagedClient,
  refusedRegistrationToken,
  registerClient,
  replaceRegistration,
  unregisterClient,
  type WantedClient,
} from '../../domain/registered-clients/registered-clients.ts'
import { registrationSettings } from '../../domain/registered-clients/settings.ts'
import { currentKey, signingKeys } from '../../domain/tenants/signing-keys.ts'
import { parseCredentials } from '../../http/access-token.ts'
import { callerOf } from '../../http/caller-of.ts'
import { type Answer, type Exchange, jsonAnswer } from '../../http/exchange.ts'
import { parseJsonBody } from '../../http/json-body.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import { matchesHash } from '../../kernel/secrets.ts'
import type { Store } from '../../storage/store.ts'
import { perform, type Work } from '../../storage/unit-of-work.ts'
import { NO_STORE } from '../endpoint.ts'
import { wantedClient } from './metadata.ts'
import { asRegistrationError, invalidMetadata } from './refusal.ts'
import { clientInformation } from './response.ts'
import { withStatement } from './software-statement.ts'

type Metadata = Readonly<Record<string, unknown>>

/** The bearer token of the request (RFC 6750 section 2.1); undefined if there is none. Throws OAuthError for anything else in its place. */
const bearerOf = ({ headerValues }: Exchange): string | undefined => {
  const [header, ...more] = headerValues('authorization')
  if (header === undefined) return undefined
  const presented = more.length > 0 ? undefined : parseCredentials(header)
  if (presented?.scheme !== 'Bearer') throw refusedRegistrationToken('the Authorization header is not one Bearer token')
  return presented.token
}

/** The metadata in the body of a request. Throws OAuthError. */
const metadataOf = ({ body, headers }: Exchange): Metadata => {
  const value = parseJsonBody(body, headers['content-type'])
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidMetadata('the body is not a JSON object')
  return value as Metadata
}

/** Who may register now, and what. Throws OAuthError 401, 403. */
const admitted = async (store: Store, { tenant }: Exchange, token: string | undefined): Promise<RegistrationPolicy> => {
  const { mode, policy } = await registrationSettings(store, tenant)
  if (mode === 'closed') throw new OAuthError('access_denied', 'registration is closed', { status: 403 })
  if (token === undefined && mode === 'open') return policy
  const ofToken = token === undefined ? undefined : await policyOfToken(store, tenant, token)
  if (!ofToken) throw refusedRegistrationToken(token === undefined ? 'no initial access token was sent' : undefined)
  return ofToken
}

/**
 * The client that the metadata describes, with its software statement. Fetches what a client refers to. Throws OAuthError, ApiError.
 * @param managed undefined: the client is new
 */
const wantedIn = async (
  store: Store,
  { tenant }: Exchange,
  sent: Metadata,
  policy: RegistrationPolicy,
  managed?: ManagedClient,
): Promise<WantedClient> => {
  const settings = await registrationSettings(store, tenant)
  const isRequired = policy.softwareStatement === 'required'
  const { metadata, statement } = await withStatement(store, tenant, sent, settings, isRequired)
  const key = currentKey(await signingKeys(store, tenant), store.clock.now())
  const wanted = wantedClient(metadata, {
    ...{ policy, statement, before: managed?.row.custom_client_metadata },
    signingAlgorithm: key?.algorithm ?? 'RS256',
  })
  const { oidcClientMetadata, customClientMetadata } = wanted.application
  const change = { redirectUris: oidcClientMetadata?.redirectUris, metadata: customClientMetadata }
  await assertSectorDocument(store, tenant, managed?.row.id, change)
  return wanted
}

/** An endpoint whose refusals are those of registration. */
const refusing =
  (handle: (exchange: Exchange) => Promise<Answer>) =>
  async (exchange: Exchange): Promise<Answer> => {
    try {
      return await handle(exchange)
    } catch (error) {
      throw asRegistrationError(error)
    }
  }

/** `POST /register`. */
export const registrationEndpoint = (store: Store) =>
  refusing(async (exchange) => {
    const { tenant } = exchange
    const token = bearerOf(exchange)
    const policy = await admitted(store, exchange, token)
    const work: Work = { store, tenant, caller: callerOf(exchange, 'Registration.Create') }
    if (token === undefined) countClientRegistration(work)
    const wanted = await wantedIn(store, exchange, metadataOf(exchange), policy)
    const registered = await perform(work, registerClient, token, wanted)
    return jsonAnswer(201, clientInformation(tenant, registered), NO_STORE)
  })

/** What a client must not send back (RFC 7592 section 2.2). */
const SERVERS_OWN = [
  'registration_access_token',
  'registration_client_uri',
  'client_secret_expires_at',
  'client_id_issued_at',
] as const

/** The metadata without what only identifies the client. Throws OAuthError (RFC 7592 section 2.2). */
const replacementOf = async (store: Store, exchange: Exchange, { row }: ManagedClient): Promise<Metadata> => {
  const { client_id: id, client_secret: secret, ...metadata } = metadataOf(exchange)
  const own = SERVERS_OWN.find((name) => name in metadata)
  if (own) throw invalidMetadata(`${own} is not for the client to change`)
  if (id !== row.id) throw invalidMetadata('client_id must be that of the client')
  const secrets = secret === undefined ? [] : ((await findClient(store, exchange.tenant, row.id))?.secrets ?? [])
  if (secret !== undefined && !secrets.some(({ hash }) => matchesHash(String(secret), hash)))
    throw invalidMetadata('client_secret must be that of the client: it is chosen by the server')
  return metadata
}

/** Whether both describe the same kind of application, which never changes. */
const isSameKind = ({ row }: ManagedClient, { application }: WantedClient): boolean =>
  row.type === application.type &&
  (row.custom_client_metadata.isDeviceFlow ?? false) === (application.customClientMetadata?.isDeviceFlow ?? false)

const managedBy = async (store: Store, exchange: Exchange): Promise<{ managed: ManagedClient; token: string }> => {
  const token = bearerOf(exchange)
  if (token === undefined) throw refusedRegistrationToken('no registration access token was sent')
  const { id = '' } = exchange.params
  if (!/^[0-9a-z]{1,21}$/.test(id)) throw refusedRegistrationToken('the path names no client')
  return { managed: await findManagedClient(store, exchange.tenant, id, token), token }
}

const workOf = (store: Store, exchange: Exchange, action: string, { row }: ManagedClient): Work => ({
  store,
  tenant: exchange.tenant,
  caller: callerOf(exchange, action, { actor: { type: 'application', id: row.id } }),
})

/** `GET /register/:id`: what is registered. The token stays as it is; the secret is not shown again. */
export const readRegistrationEndpoint = (store: Store) =>
  refusing(async (exchange) => {
    const { managed, token } = await managedBy(store, exchange)
    const registered = { row: managed.row, registrationToken: token, secret: undefined }
    return jsonAnswer(200, clientInformation(exchange.tenant, registered), NO_STORE)
  })

/** `PUT /register/:id`: replaces what is registered, and the token. */
export const replaceRegistrationEndpoint = (store: Store) =>
  refusing(async (exchange) => {
    const { managed, token } = await managedBy(store, exchange)
    const metadata = await replacementOf(store, exchange, managed)
    const wanted = await wantedIn(store, exchange, metadata, managed.policy, managed)
    if (!isSameKind(managed, wanted))
      throw invalidMetadata(
        'whether an application is native, has a secret, or is a device cannot change: register again',
      )
    const work = workOf(store, exchange, 'Registration.Replace', managed)
    const registered = await perform(work, replaceRegistration, managed, token, wanted)
    return jsonAnswer(200, clientInformation(exchange.tenant, registered), NO_STORE)
  })

/** `DELETE /register/:id`: deletes the client with everything that was issued to it. */
export const deleteRegistrationEndpoint = (store: Store) =>
  refusing(async (exchange) => {
    const { managed, token } = await managedBy(store, exchange)
    await perform(workOf(store, exchange, 'Registration.Delete', managed), unregisterClient, managed, token)
    return { status: 204, headers: NO_STORE }
  })
