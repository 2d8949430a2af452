/**
 * A visit of a user to a provider: begun with an address to send them to, ended with who they are there. A failure is an API error, and
 * an entry in the audit log. What becomes of it is for the caller to say.
 */
import { randomBytes } from 'node:crypto'
import type { ApiErrorCode } from '@countersign/contract/errors.ts'
import { ApiError } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { operation, perform, Refusal, type Work } from '../../storage/unit-of-work.ts'
import type { Expected, Visited } from './client.ts'
import type { BroughtCredential } from './credential.ts'
import { FederationFailure } from './failure.ts'
import { askingAgain } from './freshness.ts'
import type { EnterpriseAccount, Provider } from './provider.ts'
import { type Belonging, consumeRequest, keepRequest } from './requests.ts'
import type { SamlProvider } from './saml/provider.ts'

const CODE_OF = {
  denied: 'connector.authorization_failed',
  response: 'connector.authorization_failed',
  code: 'connector.social_auth_code_invalid',
  token: 'connector.social_invalid_id_token',
  provider: 'connector.invalid_response',
  assertion: 'connector.authorization_failed',
} as const satisfies Record<FederationFailure['kind'], ApiErrorCode>

/** Of a member of `connectorData`, in characters. */
const LONGEST_PARAMETER = 8192

/** Loaded for the first visit: most servers send no one to a provider. */
const client = () => import('./client.ts')
const saml = () => import('./saml/visits.ts')

/** Whether a provider speaks SAML. */
export const isSaml = (provider: Provider | SamlProvider): provider is SamlProvider => provider.at.protocol === 'saml'

const secret = (): string => randomBytes(32).toString('base64url')

const failed = operation([], async (unit, connectorId: string, failure: FederationFailure): Promise<void> => {
  unit.note({ connectorId, kind: failure.kind, reason: failure.message })
  throw new Refusal(new ApiError(CODE_OF[failure.kind], undefined, { cause: failure }))
})

const asking = async <T>(work: Work, connectorId: string, ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof FederationFailure)) throw error
    work.store.log.warn({ err: error, tenant: work.tenant.id, connectorId }, 'a sign-in at a provider came to nothing')
    await perform(work, failed, connectorId, error)
    throw error
  }
}

/**
 * Throws 400 for a redirect URI that is not the connector's own: an answer of one provider could otherwise be taken for that of
 * another (RFC 9700 section 4.4).
 */
const assertRedirectUri = (text: string, connectorId: string): void => {
  const url = URL.parse(text)
  const isWeb = url && ['http:', 'https:'].includes(url.protocol) && url.hash + url.username + url.password === ''
  if (!isWeb || !url.pathname.endsWith(`/${connectorId}`))
    throw new ApiError('guard.invalid_input', { reason: `redirectUri must be an address that ends in /${connectorId}` })
}

/**
 * Throws 400 for a redirect URI elsewhere, where no identity provider compares it with those that are registered: the code in it would
 * be given away.
 */
const assertOwnOrigin = (text: string, { baseUrl }: Tenant): void => {
  if (new URL(text).origin !== new URL(baseUrl).origin)
    throw new ApiError('guard.invalid_input', { reason: `redirectUri must be an address at ${baseUrl}` })
}

/** What the caller may choose: a state of its own, and scopes in place of the connector's. */
export interface Wanted {
  readonly redirectUri: string
  readonly state?: string | undefined
  readonly scope?: string | undefined
  /** Who is about to sign in, as they have said (OpenID Connect Core 1.0, section 3.1.2.1). */
  readonly loginHint?: string | undefined
  /** The sign-in that the visit belongs to, which has one at a time. */
  readonly interactionId?: string | undefined
  /** Whether the user is to sign in there again, even if the provider knows them (freshness.ts). */
  readonly isFresh?: boolean
}

/**
 * The address to send a user to, and what their answer will be held against, for `keepRequest`. Throws 400 `guard.invalid_input`, 502
 * `connector.invalid_response`.
 */
export const beginVisit = async (
  work: Work,
  provider: Provider | SamlProvider,
  connectorId: string,
  wanted: Wanted,
): Promise<{ uri: string; expected: Expected }> => {
  const { redirectUri, state = secret(), scope, isFresh } = wanted
  assertRedirectUri(redirectUri, connectorId)
  const expected = { state, redirectUri, nonce: secret(), verifier: secret() }
  if (isSaml(provider)) {
    assertOwnOrigin(redirectUri, work.tenant)
    const { samlAddress } = await saml()
    const begin = () => samlAddress(work, provider, connectorId, expected, wanted)
    return { uri: await asking(work, connectorId, begin), expected }
  }
  const { authorizationUri } = await client()
  const asked = isFresh ? askingAgain(provider) : provider
  const uri = await asking(work, connectorId, () => authorizationUri(work.store, asked, expected, scope))
  return { uri, expected }
}

/** Keeps a request that belongs to no interaction. */
export const visitBegun = operation([], async (unit, connectorId: string, expected: Expected): Promise<void> => {
  unit.concerns('connector', connectorId)
  keepRequest(unit, { connectorId }, expected)
})

/** The statement leaves with the commit, which is all that is waited for. */
const answered = operation([], async (unit, belonging: Belonging, state: string) => {
  unit.note({ connectorId: belonging.connectorId })
  const taking = consumeRequest(unit, belonging, state)
  unit.send(taking)
  return { taking }
})

const unasked = operation([], async (unit, connectorId: string): Promise<never> => {
  unit.note({ connectorId })
  throw new Refusal(new ApiError('session.connector_session_not_found'))
})

/** What the answer is held against, taken once, and its parameters. Throws 400 `session.connector_session_not_found`. */
const taken = async (work: Work, belonging: Belonging, data: Readonly<Record<string, unknown>>) => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(data))
    if (typeof value === 'string' && value.length <= LONGEST_PARAMETER) parameters.set(name, value)
  // what comes of it commits later, and is never on disk before it: a crash can bring back only an answer that came to nothing
  const { taking } = await perform({ ...work, isForgettable: true }, answered, belonging, parameters.get('state') ?? '')
  const expected = (await taking) ?? (await perform(work, unasked, belonging.connectorId))
  return { parameters, expected }
}

/**
 * Who came back, and the tokens that the provider has issued. The answer to a request is accepted once, whatever comes of it. Throws 400
 * `session.connector_session_not_found`, and for failures 401 and 502 `connector.…`.
 * @param data the parameters with which they came back
 */
export const endVisit = async (
  work: Work,
  provider: Provider,
  belonging: Belonging,
  data: Readonly<Record<string, unknown>>,
): Promise<Visited> => {
  const { expected, parameters } = await taken(work, belonging, data)
  const { accountAt } = await client()
  return asking(work, belonging.connectorId, () => accountAt(work.store, provider, expected, parameters))
}

/** Who came back from a SAML identity provider, likewise. */
export const endSamlVisit = async (
  work: Work,
  provider: SamlProvider,
  belonging: Belonging,
  data: Readonly<Record<string, unknown>>,
): Promise<EnterpriseAccount> => {
  const { expected, parameters } = await taken(work, belonging, data)
  const { samlAccountAt } = await saml()
  return asking(work, belonging.connectorId, () =>
    samlAccountAt(work, provider, belonging.connectorId, expected, parameters),
  )
}

/**
 * Who a SAML response is of that came without a request. It is accepted once. Throws 401 `connector.authorization_failed`, 502
 * `connector.invalid_response`. Does not check whether the connector accepts such responses, nor in which browser it arrived.
 */
export const accountOfSamlResponse = async (
  work: Work,
  provider: SamlProvider,
  connectorId: string,
  response: string,
): Promise<EnterpriseAccount> => {
  const { samlAccountIn } = await saml()
  return asking(work, connectorId, () => samlAccountIn(work, provider, connectorId, response, undefined))
}

/**
 * Who an ID token is of that came without a request, as that of Google One Tap does. Throws 401 `connector.social_invalid_id_token`, 502
 * `connector.invalid_response`. Does not check in which browser it arrived, nor whether it was used before: `useCredential` does.
 */
export const verifiedCredential = async (
  work: Work,
  provider: Provider,
  connectorId: string,
  credential: string,
): Promise<BroughtCredential> => {
  const { readCredential } = await import('./credential.ts')
  return asking(work, connectorId, () => readCredential(work.store, provider, credential))
}
