/** `/applications/:applicationId/subjects/:userId`: by which identifier an application knows a user. */
import { subjectRoutes } from '@countersign/contract/subject-settings.ts'
import { findClient } from '../domain/applications/clients.ts'
import { getApplication } from '../domain/applications/rows.ts'
import { subjectFor, userOfSubject } from '../domain/applications/subjects.ts'
import { getUser } from '../domain/users/rows.ts'
import { bind } from '../http/api.ts'
import { notFound } from '../kernel/api-error.ts'

export const subjectHandlers = bind(subjectRoutes, {
  async findApplicationSubject({ params: { applicationId, userId: named } }, { store, tenant }) {
    await getApplication(store, tenant, applicationId)
    const client = await findClient(store, tenant, applicationId)
    if (!client) throw notFound('application', applicationId)
    // no id of a user has the form of a pairwise subject
    const user = await getUser(store, tenant, userOfSubject(store, tenant, client, named) ?? named)
    return {
      userId: user.id,
      subject: subjectFor(store, tenant, client, user.id),
      subjectType: client.sector === undefined ? ('public' as const) : ('pairwise' as const),
    }
  },
})
