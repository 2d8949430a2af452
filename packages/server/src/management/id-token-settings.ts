/** `/configs/id-token`: what ID tokens say about users. */
import { idTokenSettingsRoutes } from '@countersign/contract/id-token-settings.ts'
import { getIdTokenSettings, updateIdTokenSettings } from '../domain/tenants/id-token-settings.ts'
import { bind } from '../http/api.ts'

export const idTokenSettingsHandlers = bind(idTokenSettingsRoutes, {
  getIdTokenSettings: (_input, { store, tenant }) => getIdTokenSettings(store, tenant),
  putIdTokenSettings: ({ body }, { perform }) => perform(updateIdTokenSettings, body),
})
