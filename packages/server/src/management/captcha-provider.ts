/** `/captcha-provider`. */
import { captchaProviderRoutes } from '@countersign/contract/captcha-provider.ts'
import { deleteCaptchaProvider, getCaptchaProvider, putCaptchaProvider } from '../domain/sign-in/captcha-provider.ts'
import { bind } from '../http/api.ts'
import type { Tenant } from '../kernel/tenant.ts'

type Provider = Awaited<ReturnType<typeof getCaptchaProvider>>

const toProvider = ({ id: tenantId }: Tenant, { id, config, createdAt, updatedAt }: Provider) => ({
  tenantId,
  id,
  config,
  createdAt: createdAt.getTime(),
  updatedAt: updatedAt.getTime(),
})

export const captchaProviderHandlers = bind(captchaProviderRoutes, {
  async getCaptchaProvider(_input, { store, tenant }) {
    return toProvider(tenant, await getCaptchaProvider(store, tenant))
  },
  async putCaptchaProvider({ body }, { tenant, perform }) {
    return toProvider(tenant, await perform(putCaptchaProvider, body.config))
  },
  async deleteCaptchaProvider(_input, { perform }) {
    await perform(deleteCaptchaProvider)
  },
})
