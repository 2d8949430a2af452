/** `/applications/:applicationId/sign-in-experience`: how an application looks on the pages. */
import { applicationSignInExperienceRoutes } from '@countersign/contract/application-sign-in-experience.ts'
import { type ApplicationLook, NO_LOOK, storedLook } from '../domain/applications/look.ts'
import { getApplication } from '../domain/applications/rows.ts'
import { setApplicationLook } from '../domain/sign-in/application-look.ts'
import { bind } from '../http/api.ts'
import { notFound } from '../kernel/api-error.ts'
import type { Tenant } from '../kernel/tenant.ts'

const toAnswer = ({ id: tenantId }: Tenant, applicationId: string, look: ApplicationLook) => ({
  tenantId,
  applicationId,
  ...look,
})

export const applicationSignInExperienceHandlers = bind(applicationSignInExperienceRoutes, {
  async getApplicationSignInExperience({ params: { applicationId }, query: { orEmpty } }, { store, tenant }) {
    const look = storedLook(await getApplication(store, tenant, applicationId))
    if (!look && orEmpty !== 'true') throw notFound('sign-in experience of an application', applicationId)
    return toAnswer(tenant, applicationId, look ?? NO_LOOK)
  },
  async putApplicationSignInExperience({ params: { applicationId }, body }, { tenant, perform, reply }) {
    const { look, isNew } = await perform(setApplicationLook, applicationId, body)
    if (isNew) reply.useOtherStatus()
    return toAnswer(tenant, applicationId, look)
  },
})
