/**
 * Client authentication at the token, introspection and revocation endpoints (RFC 6749 section 2.3, RFC 8705 section 2, DECISIONS C1, C2,
 * V13).
 * Every failure is the same 401 invalid_client: which check failed is in the log, not in the response.
 */
import { type Client, findClient, isPossibleId } from '../domain/applications/clients.ts'
import { isTlsMethod, refuseCertificate } from '../domain/applications/tls-client-auth.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Parameters } from '../http/parameters.ts'
import type { Caller } from '../kernel/caller.ts'
import { isDocumentId } from '../kernel/document-ids.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import { matchesHash } from '../kernel/secrets.ts'
import type { Store } from '../storage/store.ts'
import { type Credentials, parseBasic } from './basic-credentials.ts'
import { ASSERTION_TYPE, claimedSubject, refuseAssertion } from './client-assertion.ts'
import { DocumentRefused, documentClient } from './document-client.ts'
import { single } from './endpoint.ts'
import { authenticateWorkload } from './workload-assertion.ts'

export interface AuthenticatedClient {
  readonly client: Client
  /** The name of the secret that was used, for the audit log. */
  readonly secretName?: string
  /** What else the audit log says of how it authenticated. */
  readonly facts?: Readonly<Record<string, unknown>>
}

/** The client as the actor of its requests; without credentials, anyone may claim to be it. */
export const clientActor = ({ id, isConfidential }: Client): Pick<Caller, 'actor' | 'isUnproven'> => ({
  actor: { type: 'application', id },
  ...(isConfidential ? {} : { isUnproven: true }),
})

/** What the request presents: exactly one mechanism, or only a client id. */
type Presented =
  | { readonly method: 'client_secret_basic' | 'client_secret_post'; readonly credentials: Credentials }
  | { readonly method: 'private_key_jwt' | 'workload'; readonly id: string; readonly assertion: string }
  | { readonly method: 'none'; readonly id: string }

const NO_HASH = new Uint8Array(32)

const refusal = (headerSent: boolean, reason: string): OAuthError =>
  new OAuthError('invalid_client', 'client authentication failed', {
    reason,
    ...(headerSent ? { headers: { 'www-authenticate': 'Basic realm="oidc", charset="UTF-8"' } } : {}),
  })

/** Finds the one mechanism. Throws invalid_request for two at once (RFC 6749 section 2.3), invalid_client for none. */
const presentedIn = (exchange: Exchange, parameters: Parameters): Presented => {
  const [header, ...more] = exchange.headerValues('authorization')
  const id = single(parameters, 'client_id')
  const secret = single(parameters, 'client_secret')
  const assertion = single(parameters, 'client_assertion')
  const assertionType = single(parameters, 'client_assertion_type')
  const mechanisms = [header, secret, assertion ?? assertionType].filter((value) => value !== undefined)
  if (mechanisms.length > 1 || more.length > 0) {
    throw new OAuthError('invalid_request', 'the request authenticates the client in more than one way')
  }
  if (header !== undefined) {
    const credentials = parseBasic(header)
    if (!credentials) throw refusal(true, 'the Authorization header is not valid Basic')
    if (id !== undefined && id !== credentials.id) {
      throw new OAuthError('invalid_request', 'client_id is not the client of the Authorization header')
    }
    return { method: 'client_secret_basic', credentials }
  }
  if (assertion !== undefined || assertionType !== undefined) {
    const claimed = assertion === undefined ? undefined : claimedSubject(assertion)
    if (assertion === undefined || claimed === undefined || assertionType !== ASSERTION_TYPE) {
      throw refusal(false, 'the client assertion is not a JWT of the supported type')
    }
    if (id === undefined || id === claimed.subject) return { method: 'private_key_jwt', id: claimed.subject, assertion }
    if (claimed.isOwn) throw new OAuthError('invalid_request', 'client_id is not the subject of the client assertion')
    // the token of a workload names its own subject (DECISIONS H13)
    return { method: 'workload', id, assertion }
  }
  if (id === undefined) throw refusal(false, 'no client id was sent')
  return secret === undefined ? { method: 'none', id } : { method: 'client_secret_post', credentials: { id, secret } }
}

/**
 * The matching secret that has not expired. Compares all of them, so that the time does not reveal which one matched.
 */
const matchingSecret = (client: Client | undefined, secret: string, now: Date) => {
  const candidates =
    client && client.secrets.length > 0 ? client.secrets : [{ name: '', hash: NO_HASH, expiresAt: null }]
  const matching = candidates.filter(({ hash }) => matchesHash(secret, hash))
  return matching.find(({ expiresAt }) => expiresAt === null || expiresAt > now)
}

const unknownClient = (id: string): string =>
  isPossibleId(id) ? `there is no client ${id}` : 'the value sent as the client id cannot be one'

/** An assertion, or the id alone of a client that has a certificate. */
const isFapi2Method = ({ authMethod }: Client, presented: Presented['method']): boolean =>
  presented === 'private_key_jwt' || (presented === 'none' && isTlsMethod(authMethod))

/** The client with an id; one with a document only as long as its document is there. */
const clientWithId = async (store: Store, exchange: Exchange, id: string): Promise<Client | undefined> => {
  if (!isDocumentId(id)) return findClient(store, exchange.tenant, id)
  try {
    return await documentClient(store, exchange, id, 'continue')
  } catch (error) {
    if (error instanceof DocumentRefused) throw refusal(false, `client ${id}: ${error.message}`)
    throw error
  }
}

/**
 * The client of the request, authenticated by the method that it is registered for.
 * Throws OAuthError invalid_client (401) or invalid_request (400).
 */
export const authenticateClient = async (
  store: Store,
  exchange: Exchange,
  parameters: Parameters,
  now: Date,
): Promise<AuthenticatedClient> => {
  const { tenant } = exchange
  const presented = presentedIn(exchange, parameters)
  const headerSent = presented.method === 'client_secret_basic'
  const id = 'credentials' in presented ? presented.credentials.id : presented.id
  // anything else names no client, is not looked up, and is not repeated in the log
  const client = isPossibleId(id) ? await clientWithId(store, exchange, id) : undefined

  // FAPI 2.0 Security Profile section 5.3.2.1, also for an application that was registered while the tenant chose the profile
  if (client?.metadata.securityProfile === 'fapi2' && !isFapi2Method(client, presented.method))
    throw refusal(headerSent, `client ${id} has the profile fapi2, which has no ${presented.method}`)
  if ('credentials' in presented) {
    const secret = matchingSecret(client, presented.credentials.secret, now)
    if (!client) throw refusal(headerSent, unknownClient(id))
    if (client.authMethod !== presented.method)
      throw refusal(headerSent, `client ${id} authenticates by ${client.authMethod}`)
    if (!secret) throw refusal(headerSent, `client ${id} has no such secret, or it has expired`)
    return { client, secretName: secret.name }
  }
  if (!client) throw refusal(headerSent, unknownClient(id))
  // with the id alone the certificate of the connection authenticates (RFC 8705 section 2)
  if (presented.method === 'none' && isTlsMethod(client.authMethod)) {
    const reason = await refuseCertificate(store, client, exchange.clientCertificate(), now)
    if (reason) throw refusal(headerSent, `client ${id}: ${reason}`)
    return { client }
  }
  // in addition to its own method
  if (presented.method === 'workload') {
    const facts = await authenticateWorkload(store, tenant, client, presented.assertion, now)
    if (typeof facts === 'string') throw refusal(headerSent, `client ${id}: ${facts}`)
    return { client, facts }
  }
  if (client.authMethod !== presented.method)
    throw refusal(headerSent, `client ${id} authenticates by ${client.authMethod}`)
  if (presented.method === 'private_key_jwt') {
    const reason = await refuseAssertion(store, tenant, client, presented.assertion, now)
    if (reason) throw refusal(headerSent, `client ${id}: ${reason}`)
  }
  return { client }
}
