/** Userinfo (OpenID Connect Core section 5.3, DECISIONS G6): only for opaque access tokens with openid. */

import { findClient } from '../domain/applications/clients.ts'
import { findTokenAtUserinfo } from '../domain/issued/opaque-access-tokens.ts'
import { claimsNeedHolder, claimsOf, readHolder } from '../domain/sign-in/identity.ts'
import { scopesOfNamed } from '../domain/sign-in/requested-claims.ts'
import { type Answer, type Exchange, jsonAnswer } from '../http/exchange.ts'
import { isFormType } from '../http/parameters.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import { aloneOn } from '../storage/statement.ts'
import type { Store } from '../storage/store.ts'
import { formOf, NO_STORE, single } from './endpoint.ts'

const refuse = (description: string, code?: 'invalid_token' | 'insufficient_scope'): OAuthError => {
  const challenge = code ? `Bearer error="${code}", error_description="${description}"` : 'Bearer'
  return new OAuthError(code ?? 'invalid_token', description, { headers: { 'www-authenticate': challenge } })
}

/** The token of the Authorization header, or of the body of a POST (RFC 6750 sections 2.1, 2.2); never of the query. */
const bearerToken = (exchange: Exchange): string => {
  const [header, ...more] = exchange.headerValues('authorization')
  const isForm = exchange.method === 'POST' && isFormType(exchange.headers['content-type'])
  const inBody = isForm ? single(formOf(exchange), 'access_token') : undefined
  if (more.length > 0 || (header !== undefined && inBody !== undefined)) {
    throw new OAuthError('invalid_request', 'the access token was sent in more than one way')
  }
  const token = header === undefined ? inBody : /^Bearer +(\S+)$/i.exec(header)?.[1]
  if (token === undefined) throw refuse('an access token is required')
  return token
}

export const userinfoEndpoint =
  (store: Store) =>
  async (exchange: Exchange): Promise<Answer> => {
    const { tenant } = exchange
    const token = await findTokenAtUserinfo(store, tenant, bearerToken(exchange))
    if (!token) throw refuse('the access token is not valid here', 'invalid_token')
    const { scopes, claims, userId, user } = token
    if (!scopes.includes('openid')) throw refuse('the access token lacks the scope openid', 'insufficient_scope')
    const needed = [...scopes, ...scopesOfNamed(claims)]
    const client = await findClient(store, tenant, token.applicationId)
    const holder =
      client && (client.hasAccessControl || claimsNeedHolder(needed))
        ? await readHolder(aloneOn(store.database.kysely), tenant, { userId, scopes: needed, client })
        : client && { user, roles: [], organizations: [], isAdmitted: true }
    // the user was deleted, or the access rules of the application no longer admit them
    if (!holder?.isAdmitted) throw refuse('the access token is not valid here', 'invalid_token')
    return jsonAnswer(200, { sub: userId, ...claimsOf(holder, scopes, 'userinfo', claims) }, NO_STORE)
  }
