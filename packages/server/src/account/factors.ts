/** `/my-account/mfa-verifications`, `/mfa-settings` and `/logto-configs`: one's own second factors. */
import { accountFactorRoutes } from '@countersign/contract/account-factors.ts'
import { assertEditable, assertShown, isShown, partOf } from '../domain/account/field-policy.ts'
import {
  chooseOwnFactors,
  ownBackupCodes,
  removeOwnFactor,
  renameOwnPasskey,
  setOwnBackupCodes,
  setOwnTotp,
} from '../domain/account/own-factors.ts'
import { addOwnPasskey } from '../domain/account/own-passkeys.ts'
import { getChoices, listFactors } from '../domain/factors/administration.ts'
import { newBackupCodes } from '../domain/factors/backup-codes.ts'
import { choicesOfView, choicesView, factorView } from '../domain/factors/factor-view.ts'
import { newTotpSecret, totpAddress } from '../domain/factors/totp.ts'
import { issuerName } from '../domain/sign-in/factor-proof.ts'
import { getUser } from '../domain/users/rows.ts'
import { bind, type Call } from '../http/api.ts'
import { holderOf } from './authorize.ts'
import { rulesOf } from './rules.ts'

/** Who asks, where the settings show them their factors. */
const reader = async (call: Call) => {
  assertShown((await rulesOf(call)).center, 'mfa')
  return holderOf(call)
}

/** The same where they may change them. */
const editor = async (call: Call) => {
  assertEditable((await rulesOf(call)).center, 'mfa')
  return holderOf(call)
}

const skipping = async (call: Call) => {
  const { userId } = await reader(call)
  const { skipMfaOnSignIn = false } = await getChoices(call.store, call.tenant, userId)
  return { skipMfaOnSignIn }
}

export const accountFactorHandlers = bind(accountFactorRoutes, {
  async listMyFactors(_input, call) {
    const { center } = await rulesOf(call)
    assertShown(center, isShown(center, 'passkey') ? 'passkey' : 'mfa')
    const own = await listFactors(call.store, call.tenant, holderOf(call).userId)
    return own.filter(({ type }) => isShown(center, partOf(type))).map(factorView)
  },
  async createMyFactor({ body }, call) {
    const [holder, rules] = [holderOf(call), await rulesOf(call)]
    switch (body.type) {
      case 'WebAuthn':
        return call.perform(addOwnPasskey, holder, rules, body.newIdentifierVerificationRecordId, body.name)
      case 'BackupCode':
        return call.perform(setOwnBackupCodes, holder, rules, body.codes)
      default:
        return call.perform(setOwnTotp, holder, rules, body, false)
    }
  },
  async replaceMyTotp({ body }, call) {
    await call.perform(setOwnTotp, holderOf(call), await rulesOf(call), body, true)
  },
  async generateMyTotpSecret(_input, call) {
    const { userId } = await editor(call)
    const { username, primary_email, primary_phone } = await getUser(call.store, call.tenant, userId)
    const secret = newTotpSecret()
    const account = username ?? primary_email ?? primary_phone ?? userId
    return { secret, secretQrCode: totpAddress(secret, { issuer: issuerName(call.tenant), account }).qrCode }
  },
  async generateMyBackupCodes(_input, call) {
    await editor(call)
    return { codes: newBackupCodes() }
  },
  async listMyBackupCodes(_input, call) {
    const { userId } = await reader(call)
    const codes = await ownBackupCodes(call.store, call.tenant, userId)
    return { codes: codes.map((usedAt) => (usedAt ? { usedAt: usedAt.toISOString() } : {})) }
  },
  async renameMyPasskey({ params, body }, call) {
    await call.perform(renameOwnPasskey, holderOf(call), await rulesOf(call), params.verificationId, body.name)
  },
  async deleteMyFactor({ params }, call) {
    await call.perform(removeOwnFactor, holderOf(call), await rulesOf(call), params.verificationId)
  },
  getMyFactorSettings: (_input, call) => skipping(call),
  async updateMyFactorSettings({ body }, call) {
    const { skipMfaOnSignIn } = body
    await call.perform(chooseOwnFactors, holderOf(call), await rulesOf(call), { skipMfaOnSignIn })
    return { skipMfaOnSignIn }
  },
  async getMyFactorChoices(_input, call) {
    const { userId } = await reader(call)
    return choicesView(await getChoices(call.store, call.tenant, userId))
  },
  async updateMyFactorChoices({ body }, call) {
    return choicesView(await call.perform(chooseOwnFactors, holderOf(call), await rulesOf(call), choicesOfView(body)))
  },
})
