/** The access token of a request to an endpoint of the protocol: for userinfo, and for grant management. */
import { type PresentedToken, parseCredentials } from '../http/access-token.ts'
import type { Exchange } from '../http/exchange.ts'
import { isFormType } from '../http/parameters.ts'
import { challengeIn } from '../kernel/challenge.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import { formOf, single } from './endpoint.ts'

/** The token of the Authorization header, or of the body of a POST (RFC 6750 sections 2.1, 2.2); never of the query. */
export const presentedToken = (exchange: Exchange): PresentedToken => {
  const [header, ...more] = exchange.headerValues('authorization')
  const isForm = exchange.method === 'POST' && isFormType(exchange.headers['content-type'])
  const inBody = isForm ? single(formOf(exchange), 'access_token') : undefined
  if (more.length > 0 || (header !== undefined && inBody !== undefined)) {
    throw new OAuthError('invalid_request', 'the access token was sent in more than one way')
  }
  const inForm = inBody === undefined ? undefined : ({ scheme: 'Bearer', token: inBody } as const)
  const presented = header === undefined ? inForm : parseCredentials(header)
  if (presented === undefined)
    throw new OAuthError('invalid_token', 'an access token is required', {
      headers: { 'www-authenticate': challengeIn('Bearer') },
    })
  return presented
}
