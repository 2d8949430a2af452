/** `/account-center`: the settings of what users do with their own account. */
import { accountCenterRoutes } from '@countersign/contract/account-center.ts'
import { type AccountCenterSettings, accountCenter, updateAccountCenter } from '../domain/sign-in/account-center.ts'
import { isOff } from '../domain/sign-in/settings.ts'
import { bind } from '../http/api.ts'
import { ApiError } from '../kernel/api-error.ts'

/** Features that do not exist yet, as other tools know them when they are off. */
const OFF = { enabled: false, fields: {}, deleteAccountUrl: null, customCss: null, profileFields: null }

const toAccountCenter = ({ webauthnRelatedOrigins }: AccountCenterSettings) => ({
  id: 'default',
  ...OFF,
  webauthnRelatedOrigins: [...webauthnRelatedOrigins],
})

export const accountCenterHandlers = bind(accountCenterRoutes, {
  async getAccountCenter(_input, { store, tenant }) {
    return toAccountCenter(await accountCenter(store, tenant))
  },
  async updateAccountCenter({ body }, { perform }) {
    const { webauthnRelatedOrigins, ...features } = body
    for (const [feature, value] of Object.entries(features))
      if (!isOff(value)) throw new ApiError('request.feature_not_supported', { feature })
    return toAccountCenter(await perform(updateAccountCenter, { webauthnRelatedOrigins }))
  },
})
