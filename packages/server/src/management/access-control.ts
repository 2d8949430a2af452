/** `/applications/:applicationId/access-control`: who may use an application. */
import { accessControlRoutes } from '@countersign/contract/access-control.ts'
import { getAccessControl, replaceAccessControl } from '../domain/access/access-control.ts'
import { bind } from '../http/api.ts'

export const accessControlHandlers = bind(accessControlRoutes, {
  getAccessControl: ({ params }, { store, tenant }) => getAccessControl(store, tenant, params.applicationId),
  replaceAccessControl: ({ params, body }, { perform }) => perform(replaceAccessControl, params.applicationId, body),
})
