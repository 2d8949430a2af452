/** `/account-center`: the settings of what users do with their own account. */
import { accountCenterRoutes } from '@countersign/contract/account-center.ts'
import { type AccountCenterSettings, accountCenter, updateAccountCenter } from '../domain/sign-in/account-center.ts'
import { bind } from '../http/api.ts'

const toAccountCenter = ({ webauthnRelatedOrigins, profileFields, ...settings }: AccountCenterSettings) => ({
  id: 'default',
  ...settings,
  webauthnRelatedOrigins: [...webauthnRelatedOrigins],
  profileFields: profileFields && [...profileFields],
})

export const accountCenterHandlers = bind(accountCenterRoutes, {
  async getAccountCenter(_input, { store, tenant }) {
    return toAccountCenter(await accountCenter(store, tenant))
  },
  async updateAccountCenter({ body }, { perform }) {
    return toAccountCenter(await perform(updateAccountCenter, body))
  },
  async getPublicAccountCenter(_input, { store, tenant }) {
    return toAccountCenter(await accountCenter(store, tenant))
  },
})
