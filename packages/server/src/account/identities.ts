/** Accounts of one's own at providers, their tokens, and the picture. */
import { accountIdentityRoutes } from '@countersign/contract/account-identities.ts'
import { uploadOwnAvatar } from '../domain/account/own-avatar.ts'
import {
  addOwnIdentity,
  ownProviderTokens,
  ownSsoTokens,
  removeOwnIdentity,
  replaceProviderTokens,
} from '../domain/account/own-identities.ts'
import { beginOwnSocial, verifyOwnSocial } from '../domain/account/social-verification.ts'
import type { TokenSet } from '../domain/federation/token-sets.ts'
import { bind, type Call } from '../http/api.ts'
import { toNumericDate } from '../kernel/clock.ts'
import { holderOf } from './authorize.ts'
import { rulesOf } from './rules.ts'

const toProviderToken = ({ accessToken, scope, tokenType, expiresAt }: TokenSet, { store }: Pick<Call, 'store'>) => ({
  access_token: accessToken,
  ...(scope === undefined ? {} : { scope }),
  ...(tokenType === undefined ? {} : { token_type: tokenType }),
  ...(expiresAt === undefined ? {} : { expires_in: expiresAt - toNumericDate(store.clock.now()) }),
})

export const accountIdentityHandlers = bind(accountIdentityRoutes, {
  async beginMySocialVerification({ body: { connectorId, ...wanted } }, call) {
    return beginOwnSocial(call, holderOf(call), await rulesOf(call), connectorId, wanted)
  },
  async verifyMySocialAccount({ body: { verificationRecordId, connectorData } }, call) {
    await verifyOwnSocial(call, holderOf(call), await rulesOf(call), verificationRecordId, connectorData)
    return { verificationRecordId }
  },
  async addMyIdentity({ body }, call) {
    const { newIdentifierVerificationRecordId: id } = body
    await call.perform(addOwnIdentity, holderOf(call), await rulesOf(call), id, false)
  },
  async replaceMyIdentity({ body }, call) {
    const { newIdentifierVerificationRecordId: id } = body
    await call.perform(addOwnIdentity, holderOf(call), await rulesOf(call), id, true)
  },
  async removeMyIdentity({ params }, call) {
    await call.perform(removeOwnIdentity, holderOf(call), await rulesOf(call), params.target)
  },
  async getMyProviderToken({ params }, call) {
    return toProviderToken(await ownProviderTokens(call, holderOf(call), await rulesOf(call), params.target), call)
  },
  async getMySsoProviderToken({ params }, call) {
    return toProviderToken(await ownSsoTokens(call, holderOf(call), await rulesOf(call), params.connectorId), call)
  },
  async putMyProviderToken({ params: { target }, body }, call) {
    const [holder, rules] = [holderOf(call), await rulesOf(call)]
    await call.perform(replaceProviderTokens, holder, rules, target, body.verificationRecordId)
    return toProviderToken(await ownProviderTokens(call, holder, rules, target), call)
  },
  async uploadMyAvatar({ body }, call) {
    return { url: await uploadOwnAvatar(call, holderOf(call), await rulesOf(call), body.file) }
  },
})
