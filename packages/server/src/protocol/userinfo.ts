/** Userinfo (OpenID Connect Core section 5.3, DECISIONS G6): only for opaque access tokens with openid. */

import { findClient } from '../domain/applications/clients.ts'
import { subjectFor } from '../domain/applications/subjects.ts'
import { findTokenAtUserinfo } from '../domain/issued/opaque-access-tokens.ts'
import { claimsNeedHolder, readHolder, userinfoClaimsOf } from '../domain/sign-in/identity.ts'
import { scopesOfNamed } from '../domain/sign-in/requested-claims.ts'
import { type PresentedToken, parseCredentials } from '../http/access-token.ts'
import { type Answer, type Exchange, jsonAnswer } from '../http/exchange.ts'
import { isFormType } from '../http/parameters.ts'
import { challengeIn } from '../kernel/challenge.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import { aloneOn } from '../storage/statement.ts'
import type { Store } from '../storage/store.ts'
import { assertHeld } from '../tokens/bound/at-resource.ts'
import { nextNonce } from '../tokens/dpop/nonce.ts'
import { encryptedFor, userinfoEncryption } from '../tokens/encryption.ts'
import { signedUserinfo } from '../tokens/signed-userinfo.ts'
import { formOf, NO_STORE, single } from './endpoint.ts'
import { asProofError, refuseToken } from './token-refusal.ts'

/** The token of the Authorization header, or of the body of a POST (RFC 6750 sections 2.1, 2.2); never of the query. */
const presentedToken = (exchange: Exchange): PresentedToken => {
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

export const userinfoEndpoint =
  (store: Store) =>
  async (exchange: Exchange): Promise<Answer> => {
    const { tenant } = exchange
    const presented = presentedToken(exchange)
    const token = await findTokenAtUserinfo(store, tenant, presented.token)
    if (!token) throw refuseToken(presented.scheme, 'the access token is not valid here')
    const { scopes, claims, userId, user, jkt, x5t } = token
    const needed = [...scopes, ...scopesOfNamed(claims)]
    const client = await findClient(store, tenant, token.applicationId)
    const proof =
      client &&
      (await assertHeld(store, exchange, { ...presented, jkt, x5t }, client).catch((error: unknown) => {
        throw asProofError(error)
      }))
    if (!scopes.includes('openid'))
      throw refuseToken(presented.scheme, 'the access token lacks the scope openid', 'insufficient_scope')
    const holder =
      client && (client.hasAccessControl || claimsNeedHolder(needed))
        ? await readHolder(aloneOn(store.database.kysely), tenant, { userId, scopes: needed, client })
        : client && { user, roles: [], organizations: [], isAdmitted: true }
    // the user was deleted, or the access rules of the application no longer admit them
    if (!client || !holder?.isAdmitted) throw refuseToken(presented.scheme, 'the access token is not valid here')
    const said = { sub: subjectFor(store, tenant, client, userId), ...userinfoClaimsOf(holder, scopes, claims) }
    const { userinfoSignedResponseAlg: algorithm } = client.metadata
    const encryption = userinfoEncryption(client)
    const headers = { ...NO_STORE, ...nextNonce(store, tenant, proof) }
    if (algorithm === undefined && !encryption) return jsonAnswer(200, said, headers)
    const content =
      algorithm === undefined ? JSON.stringify(said) : await signedUserinfo(store, tenant, client, algorithm, said)
    const body = encryption ? await encryptedFor(store, client, encryption, content) : content
    return { status: 200, headers: { ...headers, 'content-type': 'application/jwt' }, body }
  }
