/**
 * A visit of a user to the identity provider of a company, by whichever protocol: begun with an address to send them to, ended with
 * who they are there. What becomes of it is for the caller to say.
 */
import { ApiError } from '../../../kernel/api-error.ts'
import type { Work } from '../../../storage/unit-of-work.ts'
import { domainOfAddress } from '../../credentials/email-domain.ts'
import type { Expected, Visited } from '../client.ts'
import type { EnterpriseAccount, FederatedAccount } from '../provider.ts'
import type { Belonging } from '../requests.ts'
import { accountOfSamlResponse, beginVisit, endSamlVisit, endVisit, isSaml, type Wanted } from '../visits.ts'
import { ssoProviderOf } from './config.ts'
import type { SsoConnector } from './connectors.ts'

/** Throws 400 `connector.not_enabled` for a connector that is incomplete. */
const assertComplete = ({ isComplete }: SsoConnector): void => {
  if (!isComplete) throw new ApiError('connector.not_enabled')
}

/** The address to send a user to, and what their answer will be held against. Throws as beginVisit, 400 `connector.not_enabled`. */
export const beginSsoVisit = (
  work: Work,
  connector: SsoConnector,
  wanted: Wanted,
): Promise<{ uri: string; expected: Expected }> => {
  assertComplete(connector)
  const { loginHint } = wanted
  const provider = ssoProviderOf(connector)
  if (isSaml(provider)) return beginVisit(work, provider, connector.id, wanted)
  const parameters: Readonly<Record<string, string>> = loginHint ? { login_hint: loginHint } : {}
  return beginVisit(work, { ...provider, parameters }, connector.id, wanted)
}

/** Only the connector's own domains are the company's: elsewhere it says nothing that counts (DECISIONS P1). */
const isOwn = ({ domains }: SsoConnector, address: string | undefined): boolean =>
  address !== undefined && domains.includes(domainOfAddress(address) ?? '')

const asSaid = (connector: SsoConnector, account: EnterpriseAccount): EnterpriseAccount => ({
  ...account,
  isEmailVerified: account.isEmailVerified && isOwn(connector, account.email),
})

/** The session there is a claim of ID tokens (OpenID Connect Back-Channel Logout 1.0, section 2.1). */
const ofOidc = (issuer: string, account: FederatedAccount): EnterpriseAccount => {
  const { sid } = account.rawData ?? {}
  return { ...account, issuer, ...(typeof sid === 'string' && sid !== '' ? { sessionId: sid } : {}) }
}

/** Who came back, and the tokens that the provider issued, if it issues any. */
export interface SsoVisited extends Partial<Pick<Visited, 'tokens' | 'idToken'>> {
  readonly account: EnterpriseAccount
}

/**
 * Who came back. The answer to a request is accepted once, whatever comes of it. Throws as endVisit, 400 `connector.not_enabled`.
 * @param data the parameters with which they came back
 */
export const endSsoVisit = async (
  work: Work,
  connector: SsoConnector,
  belonging: Belonging,
  data: Readonly<Record<string, unknown>>,
): Promise<SsoVisited> => {
  assertComplete(connector)
  const provider = ssoProviderOf(connector)
  if (isSaml(provider)) return { account: asSaid(connector, await endSamlVisit(work, provider, belonging, data)) }
  const { account, tokens, idToken } = await endVisit(work, provider, belonging, data)
  return {
    account: asSaid(connector, ofOidc(provider.at.issuer, account)),
    tokens,
    ...(idToken ? { idToken } : {}),
  }
}

/**
 * Who a SAML identity provider says has arrived, without having been asked. Throws as accountOfSamlResponse, 400
 * `connector.not_enabled` for a connector that is incomplete or does not speak SAML.
 */
export const arrivedAccount = async (
  work: Work,
  connector: SsoConnector,
  response: string,
): Promise<EnterpriseAccount> => {
  assertComplete(connector)
  const provider = ssoProviderOf(connector)
  if (!isSaml(provider)) throw new ApiError('connector.not_enabled')
  return asSaid(connector, await accountOfSamlResponse(work, provider, connector.id, response))
}
