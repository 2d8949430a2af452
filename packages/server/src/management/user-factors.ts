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
import type { FactorChoices } from '../domain/factors/choices.ts'
import type { Factor } from '../domain/factors/factors.ts'
import { newTotpSecret, totpAddress } from '../domain/factors/totp.ts'
import { deleteTrustedDevice, listTrustedDevices } from '../domain/factors/trusted-devices.ts'
import { issuerName } from '../domain/sign-in/factor-proof.ts'
import { bind } from '../http/api.ts'

const toFactor = ({ id, type, agent, name, created_at, last_used_at, remaining }: Factor) => ({
  id,
  type,
  createdAt: created_at.toISOString(),
  ...(last_used_at ? { lastUsedAt: last_used_at.toISOString() } : {}),
  ...(agent === null ? {} : { agent }),
  ...(name === null ? {} : { name }),
  ...(type === 'BackupCode' ? { remainCodes: remaining } : {}),
})

const toChoices = ({ enabled, skipped = false, skipMfaOnSignIn = false, passkeySkipped = false }: FactorChoices) => ({
  mfa: { ...(enabled === undefined ? {} : { enabled }), skipped, skipMfaOnSignIn },
  passkeySignIn: { skipped: passkeySkipped },
})

export const userFactorHandlers = bind(userFactorRoutes, {
  async listUserFactors({ params }, { store, tenant }) {
    return (await listFactors(store, tenant, params.userId)).map(toFactor)
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
    return (await listTrustedDevices(store, tenant, params.userId)).map((row) => {
      const place = store.places.of(row.ip ?? undefined)
      return {
        id: row.id,
        userAgent: row.user_agent,
        country: place?.country ?? null,
        city: place?.city ?? null,
        createdAt: row.created_at.getTime(),
        lastUsedAt: row.last_used_at.getTime(),
        expiresAt: row.expires_at.getTime(),
      }
    })
  },
  async deleteTrustedDevice({ params }, { perform }) {
    await perform(deleteTrustedDevice, params.userId, params.trustedDeviceId)
  },
  async getUserFactorChoices({ params }, { store, tenant }) {
    return toChoices(await getChoices(store, tenant, params.userId))
  },
  async updateUserFactorChoices({ params, body }, { perform }) {
    const { mfa = {}, passkeySignIn } = body
    const change = {
      ...mfa,
      ...(passkeySignIn?.skipped === undefined ? {} : { passkeySkipped: passkeySignIn.skipped }),
    }
    return toChoices(await perform(updateChoices, params.userId, change))
  },
})
