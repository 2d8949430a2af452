/** The pushed authorization request endpoint: RFC 9126. */
import type { Client } from '../domain/applications/clients.ts'
import { countPushedRequest } from '../domain/credentials/address-failures.ts'
import { PUSHED_REQUEST_SECONDS, pushRequest, requestUriOf } from '../domain/issued/pushed-requests.ts'
import { callerOf } from '../http/caller-of.ts'
import { type Answer, type Exchange, jsonAnswer } from '../http/exchange.ts'
import type { Parameters } from '../http/parameters.ts'
import { isDocumentId } from '../kernel/document-ids.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { perform } from '../storage/unit-of-work.ts'
import { nextNonce } from '../tokens/dpop/nonce.ts'
import { AuthorizationError, UnsafeRequestError } from './authorize/authorization-error.ts'
import { checkRedirectUri, checkRequest, checkState } from './authorize/checks.ts'
import { CERTIFICATE_OF_REQUEST, keepable } from './authorize/limits.ts'
import { openedRequest } from './authorize/opened-request.ts'
import { authenticateClient, clientActor } from './client-authentication.ts'
import { DocumentRefused, documentClient } from './document-client.ts'
import { formOf, NO_STORE, single } from './endpoint.ts'
import { subjectOfHint } from './id-token-hint.ts'
import { assertNonceForAll, boundCertificate, pushedProof } from './sender-constraint.ts'

/** The client's credentials are not part of the request (section 2.1). */
const CREDENTIALS = new Set(['client_secret', 'client_assertion', 'client_assertion_type'])

/** The same errors that the authorization endpoint would find, reported to the client at once (section 2.3). */
export const asDirectError = (error: unknown): unknown => {
  if (error instanceof UnsafeRequestError)
    return new OAuthError('invalid_request', 'redirect_uri is not registered for the client')
  if (!(error instanceof AuthorizationError)) return error
  const known = [
    ...['access_denied', 'invalid_authorization_details', 'invalid_grant_id', 'invalid_request_object'],
    ...['invalid_scope', 'invalid_target', 'unauthorized_client'],
  ] as const
  const code = known.find((each) => each === error.code) ?? 'invalid_request'
  return new OAuthError(code, error.description)
}

/** The parameters as they were sent, or those of the request object. Throws OAuthError. */
const openedHere = async (
  store: Store,
  tenant: Tenant,
  client: Client,
  sent: Parameters,
  now: Date,
): Promise<Map<string, readonly string[]>> => {
  const { parameters, objection } = await openedRequest(store, tenant, client, sent, 'pushing', now)
  if (objection) throw asDirectError(objection)
  return new Map(parameters)
}

/** A client with a document may begin here: then the document is fetched. Throws OAuthError. */
const prepareDocument = async (store: Store, exchange: Exchange, parameters: Parameters): Promise<void> => {
  const id = single(parameters, 'client_id')
  if (id === undefined || !isDocumentId(id)) return
  try {
    await documentClient(store, exchange, id, 'begin')
  } catch (error) {
    if (error instanceof DocumentRefused) throw new OAuthError('invalid_client', error.message, { status: 401 })
    throw error
  }
}

export const pushedAuthorizationEndpoint =
  (store: Store) =>
  async (exchange: Exchange): Promise<Answer> => {
    const { tenant } = exchange
    const now = store.clock.now()
    const parameters = formOf(exchange)
    await prepareDocument(store, exchange, parameters)
    const { client } = await authenticateClient(store, exchange, parameters, now)
    if (parameters.has('request_uri')) throw new OAuthError('invalid_request', 'request_uri cannot be pushed')
    const sent = new Map([...parameters].filter(([name]) => !CREDENTIALS.has(name)))
    const request = await openedHere(store, tenant, client, sent, now)
    const proof = await pushedProof(store, exchange, client, request)
    if (proof) request.set('dpop_jkt', [proof.jkt])
    const certificate = boundCertificate(exchange, client)
    if (certificate !== undefined) request.set(CERTIFICATE_OF_REQUEST, [certificate])
    try {
      checkState(request)
      const hinted = await subjectOfHint(store, tenant, client, request.get('id_token_hint')?.[0])
      await checkRequest(store, tenant, client, checkRedirectUri(client, request), request, hinted)
    } catch (error) {
      throw asDirectError(error)
    }
    await assertNonceForAll(store, tenant, request.get('resource') ?? [], proof)
    const work = { store, tenant, caller: callerOf(exchange, 'PushAuthorizationRequest', clientActor(client)) }
    countPushedRequest(work)
    const value = await perform(work, pushRequest, 'pushedRequest', client.id, keepable(request))
    const body = { request_uri: requestUriOf(value), expires_in: PUSHED_REQUEST_SECONDS }
    return jsonAnswer(201, body, { ...NO_STORE, ...nextNonce(store, tenant, proof) })
  }
