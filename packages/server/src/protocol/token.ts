/** The token endpoint: RFC 6749 section 3.2. The phases are here, in order, once for every grant. */

import type { Client } from '../domain/applications/clients.ts'
import { noteDocumentUse } from '../domain/registered-clients/document-clients.ts'
import { noteUse } from '../domain/registered-clients/registered-clients.ts'
import { callerOf } from '../http/caller-of.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import { jsonAnswer } from '../http/exchange.ts'
import type { Parameters } from '../http/parameters.ts'
import type { Caller } from '../kernel/caller.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import { createTurns, type Turns } from '../kernel/turns.ts'
import type { Store } from '../storage/store.ts'
import { isRemembered, operation, perform, Refusal } from '../storage/unit-of-work.ts'
import { type Authorization, userOf } from '../tokens/authorization.ts'
import { redeemInTurn } from '../tokens/claims/redemptions.ts'
import { nextNonce } from '../tokens/dpop/nonce.ts'
import type { Proof } from '../tokens/dpop/proof.ts'
import { encryptionKey, idTokenEncryption } from '../tokens/encryption.ts'
import { type Minted, mintTokens } from '../tokens/mint.ts'
import { type AuthenticatedClient, authenticateClient, clientActor } from './client-authentication.ts'
import { asOAuthError, formOf, NO_STORE, single } from './endpoint.ts'
import type { DirectGrant, Grant, GrantRequest, RedeemingGrant } from './grants/grant.ts'
import { GRANTS } from './grants/registry.ts'
import { bound, confirmationFor, proofOf, tokenTypeOf } from './sender-constraint.ts'

const byType: ReadonlyMap<string, Grant> = new Map(GRANTS.map((grant) => [grant.type, grant]))

/** Any repeated parameter but `resource` is refused, known or not (RFC 6749 section 3.2, SECURITY R-22). */
const assertNotRepeated = (parameters: Parameters): void => {
  for (const [name, values] of parameters) {
    if (values.length > 1 && name !== 'resource')
      throw new OAuthError('invalid_request', `the parameter ${shown(name)} is repeated`)
  }
}

/**
 * A name in the form that an error description may contain: RFC 6749 section 5.2 allows few characters there, and no
 * reader needs more.
 */
const shown = (name: string): string => (/^[\w.:-]{1,64}$/.test(name) ? name : 'with an unusual name')

const grantOf = (parameters: Parameters): Grant => {
  const type = single(parameters, 'grant_type')
  if (type === undefined) throw new OAuthError('invalid_request', 'the parameter grant_type is missing')
  const grant = byType.get(type)
  if (!grant) throw new OAuthError('unsupported_grant_type', 'this server has no such grant')
  return grant
}

const own = (parameters: Parameters, { parameters: names }: Grant): Parameters => {
  const declared = new Map<string, readonly string[]>()
  for (const name of names) {
    const values = parameters.get(name)
    if (values) declared.set(name, values)
  }
  return declared
}

/**
 * What the audit log records about an issued token: its kind, why, what was granted and what was dropped (DECISIONS
 * D5).
 */
const issuedFacts = (
  authorization: Authorization,
  minted: Minted,
  { secretName, facts: proved }: Partial<AuthenticatedClient> = {},
) => {
  const { client, resource, organizationId, dropped, why } = authorization
  return {
    result: 'Success' as const,
    applicationId: client.id,
    secretName,
    ...proved,
    userId: userOf(authorization),
    grantId: authorization.kind === 'grant' ? authorization.grant.id : undefined,
    resource: resource?.indicator,
    organizationId,
    scope: minted.scope,
    dropped: dropped.length > 0 ? dropped : undefined,
    tokenKind: why,
    jti: minted.jti,
    authorizationDetails: authorization.details,
    jkt: authorization.confirmation?.jkt,
    x5t: authorization.confirmation?.['x5t#S256'],
    ...('facts' in authorization ? authorization.facts : {}),
    ...minted.facts,
  }
}

/** Progress of one request, for the audit entry of its failure. */
interface Progress {
  grant?: Grant
  authenticated?: AuthenticatedClient
  proof?: Proof
  /** What the grant has found out so far. */
  readonly facts: Record<string, unknown>
}

/** What the audit log records about a refusal. */
const refusedFacts = ({ code, reason, description }: OAuthError, { facts }: Progress) => ({
  ...facts,
  result: 'Error' as const,
  error: code,
  reason: reason ?? description,
})

const exchangeToken = async (store: Store, turns: Turns, exchange: Exchange, progress: Progress): Promise<Answer> => {
  const { tenant } = exchange
  const now = store.clock.now()
  // 1. the request is a form, with nothing repeated
  const parameters = formOf(exchange)
  assertNotRepeated(parameters)
  // 2. the client is who it says
  progress.authenticated = await authenticateClient(store, exchange, parameters, now)
  const { client } = progress.authenticated
  // 3. the grant exists, the client may use it, and has the key or the certificate that its tokens are bound to
  const grant = grantOf(parameters)
  progress.grant = grant
  const refused = grant.refuseClient(client)
  if (refused) throw new OAuthError('unauthorized_client', refused)
  if (client.grantTypes && !client.grantTypes.includes(grant.type))
    throw new OAuthError('unauthorized_client', 'the client has not registered for this grant')
  const proof = await proofOf(store, exchange, client)
  if (proof) progress.proof = proof
  const encryption = idTokenEncryption(client)
  // published keys are fetched before a transaction begins
  if (encryption) await encryptionKey(store, client, encryption)
  const confirmation = confirmationFor(exchange, client, proof)
  // 4. the grant concludes; 5. the mint makes the tokens
  const note = (facts: Readonly<Record<string, unknown>>) => void Object.assign(progress.facts, facts)
  const request = {
    ...{ store, tenant, client, now, confirmation, note },
    parameters: own(parameters, grant),
    hasClaimsScript: false,
  }
  const caller = callerFor(exchange, grant, client)
  const redeem = (redeeming: RedeemingGrant) =>
    redeemInTurn(store, tenant, (hasClaimsScript) =>
      perform(
        // a script may take its time
        { store, tenant, caller, isShort: !hasClaimsScript },
        redeemed,
        redeeming,
        { ...request, hasClaimsScript },
        progress,
      ),
    )
  if ('fetchAhead' in grant) await grant.fetchAhead?.(request)
  const inTurn = (redeeming: RedeemingGrant) => {
    const contended = redeeming.contended(request.parameters)
    return contended === undefined
      ? redeem(redeeming)
      : turns.take(`${tenant.id} ${contended}`, () => redeem(redeeming))
  }
  const issued = 'redeem' in grant ? await inTurn(grant) : await concluded(grant, request, caller, progress)
  store.metrics.tokens.labels(grant.type, 'success').inc()
  return jsonAnswer(200, issued, { ...NO_STORE, ...nextNonce(store, tenant, proof) })
}

/**
 * The response of RFC 6749 section 5.1. It always has `scope`, which is required whenever it differs from the request:
 * if nothing was granted it is empty, although the token then has no such claim (DECISIONS D7, G2).
 */
const answerBody = (authorization: Authorization, { accessToken, expiresIn, scope, idToken }: Minted) => ({
  access_token: accessToken,
  issued_token_type: 'issuedTokenType' in authorization ? authorization.issuedTokenType : undefined,
  // RFC 8693 section 2.2.1: what is no access token
  token_type: authorization.kind === 'assertion' ? 'N_A' : tokenTypeOf(authorization.confirmation),
  expires_in: expiresIn,
  scope: scope ?? '',
  authorization_details: authorization.details,
  grant_id: authorization.kind === 'grant' && authorization.grant.isManaged ? authorization.grant.id : undefined,
  id_token: idToken,
  device_secret: authorization.kind === 'grant' ? authorization.deviceSecret : undefined,
  refresh_token: authorization.kind === 'grant' ? authorization.refreshToken : undefined,
})

/** Without a transaction: the audit entry is buffered and written later. */
const concluded = async (grant: DirectGrant, request: GrantRequest, caller: Caller, progress: Progress) => {
  const { store, tenant, now } = request
  const { authenticated, proof } = progress
  const authorization = bound(request, await grant.authorize(request), proof)
  const minted = await mintTokens(store, tenant, authorization, now)
  store.audit.add(tenant.id, caller, issuedFacts(authorization, minted, authenticated))
  return answerBody(authorization, minted)
}

/**
 * In one transaction: what is consumed, what is issued for it, and the audit entry, including that of a recorded
 * refusal.
 */
const redeemed = operation(
  ['Grant.LimitExceeded'],
  async (unit, grant: RedeemingGrant, request: GrantRequest, progress: Progress) => {
    try {
      const authorization = bound(request, await grant.redeem(unit, request), progress.proof)
      const minted = await mintTokens(request.store, request.tenant, authorization, unit.now, unit)
      unit.note(issuedFacts(authorization, minted, progress.authenticated))
      noteUse(unit, request.client)
      noteDocumentUse(unit, request.client)
      return answerBody(authorization, minted)
    } catch (error) {
      if (error instanceof Refusal) unit.note(refusedFacts(asOAuthError(error.error), progress))
      throw error
    }
  },
)

/** The application that requests tokens; it has no id until it is authenticated. */
const callerFor = (exchange: Exchange, grant: Grant | undefined, client: Client | undefined): Caller =>
  callerOf(
    exchange,
    grant?.auditKey ?? 'ExchangeTokenBy.Unknown',
    client ? clientActor(client) : { actor: { type: 'application' } },
  )

/** Handles a token request; every failure leaves an audit entry that says why. */
export const tokenEndpoint = (store: Store): ((exchange: Exchange) => Promise<Answer>) => {
  const turns = createTurns()
  store.metrics.gauge(
    'countersign_token_requests_waiting',
    'Token requests that wait for another one with the same code or token',
    turns.waiting,
  )
  return async (exchange) => {
    const progress: Progress = { facts: {} }
    try {
      return await exchangeToken(store, turns, exchange, progress)
    } catch (error) {
      const failure = asOAuthError(error)
      store.metrics.tokens.labels(progress.grant?.type ?? 'unknown', failure.code).inc()
      if (!isRemembered(error)) {
        const caller = callerFor(exchange, progress.grant, progress.authenticated?.client)
        store.audit.add(exchange.tenant.id, caller, refusedFacts(failure, progress))
      }
      throw error
    }
  }
}
