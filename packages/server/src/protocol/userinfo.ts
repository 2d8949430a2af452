/** Userinfo (OpenID Connect Core section 5.3, DECISIONS G6): only for opaque access tokens with openid. */

import { findClient } from '../domain/applications/clients.ts'
import { subjectFor } from '../domain/applications/subjects.ts'
import { findTokenAtUserinfo } from '../domain/issued/opaque-access-tokens.ts'
import { claimsNeedHolder, readHolder, userinfoClaimsOf } from '../domain/sign-in/identity.ts'
import { scopesOfNamed } from '../domain/sign-in/requested-claims.ts'
import { type Answer, type Exchange, jsonAnswer } from '../http/exchange.ts'
import { aloneOn } from '../storage/statement.ts'
import type { Store } from '../storage/store.ts'
import { assertHeld } from '../tokens/bound/at-resource.ts'
import { nextNonce } from '../tokens/dpop/nonce.ts'
import { encryptedFor, userinfoEncryption } from '../tokens/encryption.ts'
import { signedUserinfo } from '../tokens/signed-userinfo.ts'
import { NO_STORE } from './endpoint.ts'
import { presentedToken } from './presented-token.ts'
import { asProofError, refuseToken } from './token-refusal.ts'

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
