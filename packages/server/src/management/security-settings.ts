/** `/configs/security`: what the tenant demands of its applications. */
import { securitySettingsRoutes } from '@countersign/contract/security-settings.ts'
import { updateSecuritySettings } from '../domain/applications/tenant-security.ts'
import { securitySettings } from '../domain/tenants/security-settings.ts'
import { bind } from '../http/api.ts'

export const securitySettingsHandlers = bind(securitySettingsRoutes, {
  getSecuritySettings: (_input, { store, tenant }) => securitySettings(store, tenant),
  updateSecuritySettings: ({ body }, { perform }) => perform(updateSecuritySettings, body),
})
