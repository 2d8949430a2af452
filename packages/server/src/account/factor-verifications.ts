/** `/verifications/totp` and `/verifications/web-authn`: factors as proofs, and passkeys that are being made. */
import { accountFactorVerificationRoutes } from '@countersign/contract/account-factor-verifications.ts'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { beginOwnPasskey, beginPasskeyProof, finishOwnPasskey, provePasskey } from '../domain/account/own-passkeys.ts'
import { verifyOwnTotp } from '../domain/account/totp-verification.ts'
import { bind } from '../http/api.ts'
import { holderOf } from './authorize.ts'
import { rulesOf } from './rules.ts'

/** As the browser made it: the wire calls the type by another name. */
const asMade = (payload: object) =>
  ({ clientExtensionResults: {}, ...payload, type: 'public-key' }) as unknown as RegistrationResponseJSON
const asProved = (payload: object) =>
  ({ clientExtensionResults: {}, ...payload, type: 'public-key' }) as unknown as AuthenticationResponseJSON

export const factorVerificationHandlers = bind(accountFactorVerificationRoutes, {
  async verifyMyTotp({ body }, call) {
    const { experience } = await rulesOf(call)
    return verifyOwnTotp(call, holderOf(call), experience, body.code)
  },
  async beginMyPasskeyVerification(_input, call) {
    const { authenticationOptions, ...begun } = await beginPasskeyProof(call, holderOf(call), await rulesOf(call))
    return { ...begun, authenticationOptions: { ...authenticationOptions } }
  },
  async verifyMyPasskey({ body: { verificationRecordId, payload } }, call) {
    await provePasskey(call, holderOf(call), await rulesOf(call), verificationRecordId, asProved(payload))
    return { verificationRecordId }
  },
  async beginMyPasskey(_input, call) {
    const { registrationOptions, ...begun } = await beginOwnPasskey(call, holderOf(call), await rulesOf(call))
    return { ...begun, registrationOptions: { ...registrationOptions } }
  },
  async verifyMyNewPasskey({ body: { verificationRecordId, payload } }, call) {
    await finishOwnPasskey(call, holderOf(call), await rulesOf(call), verificationRecordId, asMade(payload))
    return { verificationRecordId }
  },
})
