/** `/account-center`: the settings of what users do with their own account. */
import { accountCenterRoutes } from '@countersign/contract/account-center.ts'
import { type AccountCenterSettings, accountCenter, updateAccountCenter } from '../domain/sign-in/account-center.ts'
import { isOff } from '../domain/sign-in/settings.ts'
import { bind } from '../http/api.ts'
import { ApiError } from '../kernel/api-error.ts'

/** Features that do not exist yet, as other tools know them when they are off. */
const OFF = { deleteAccountUrl: null, customCss: null, profileFields: null }

const toAccountCenter = ({ webauthnRelatedOrigins, ...settings }: AccountCenterSettings) => ({
  id: 'default',
  ...OFF,
  ...settings,
  webauthnRelatedOrigins: [...webauthnRelatedOrigins],
})

export const accountCenterHandlers = bind(accountCenterRoutes, {
  async getAccountCenter(_input, { store, tenant }) {
    return toAccountCenter(await accountCenter(store, tenant))
  },
  async updateAccountCenter({ body }, { perform }) {
    const { enabled, fields, reuseVerifications, deletionDelayDays, webauthnRelatedOrigins, ...features } = body
    for (const [feature, value] of Object.entries(features))
      if (!isOff(value)) throw new ApiError('request.feature_not_supported', { feature })
    const change = { enabled, fields, reuseVerifications, deletionDelayDays, webauthnRelatedOrigins }
    return toAccountCenter(await perform(updateAccountCenter, change))
  },
  async getPublicAccountCenter(_input, { store, tenant }) {
    return toAccountCenter(await accountCenter(store, tenant))
  },
})
