/** `/users/:userId/mfa-verifications` and `/logto-configs`: the second factors of a user. */
import { userFactorRoutes } from '@countersign/contract/user-factors.ts'
import {
  getChoices,
  giveBackupCodes,
  giveTotp,
  listFactors,
  takeFactor,
  updateChoices,
} from '../domain/factors/administration.ts'
import { newBackupCodes } from '../domain/factors/backup-codes.ts'
import { choicesOfView, choicesView, deviceView, factorView } from '../domain/factors/factor-view.ts'
import { newTotpSecret, totpAddress } from '../domain/factors/totp.ts'
import { deleteTrustedDevice, listTrustedDevices } from '../domain/factors/trusted-devices.ts'
import { issuerName } from '../domain/sign-in/factor-proof.ts'
import { bind } from '../http/api.ts'

export const userFactorHandlers = bind(userFactorRoutes, {
  async listUserFactors({ params }, { store, tenant }) {
    return (await listFactors(store, tenant, params.userId)).map(factorView)
  },
  async createUserFactor({ params, body }, { tenant, perform }) {
    if (body.type === 'BackupCode') {
      const codes = body.codes ?? newBackupCodes()
      await perform(giveBackupCodes, params.userId, codes)
      return { type: 'BackupCode' as const, codes }
    }
    const secret = body.secret ?? newTotpSecret()
    const { username, primary_email, primary_phone, id } = await perform(giveTotp, params.userId, secret)
    const account = username ?? primary_email ?? primary_phone ?? id
    const { qrCode } = totpAddress(secret, { issuer: issuerName(tenant), account })
    return { type: 'Totp' as const, secret, secretQrCode: qrCode }
  },
  async deleteUserFactor({ params }, { perform }) {
    await perform(takeFactor, params.userId, params.verificationId)
  },
  async listTrustedDevices({ params }, { store, tenant }) {
    return (await listTrustedDevices(store, tenant, params.userId)).map((row) => deviceView(row, store.places))
  },
  async deleteTrustedDevice({ params }, { perform }) {
    await perform(deleteTrustedDevice, params.userId, params.trustedDeviceId)
  },
  async getUserFactorChoices({ params }, { store, tenant }) {
    return choicesView(await getChoices(store, tenant, params.userId))
  },
  async updateUserFactorChoices({ params, body }, { perform }) {
    return choicesView(await perform(updateChoices, params.userId, choicesOfView(body)))
  },
})
