/**
 * What a script of custom claims is told beside the token (DECISIONS J1). Of a user: one statement more, in the transaction of
 * the grant where there is one, sent with the grant's own where the grant does that; of a machine: nothing but the cache.
 */
import { type ApplicationRow, applicationTag, getApplication } from '../../domain/application-rows.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import type { Store } from '../../storage/store.ts'
import type { Authorization } from '../authorization.ts'
import { type Person, readPerson } from './person.ts'

export type ClaimsContext = Readonly<Record<string, unknown>>

/** The application with what belongs to it and without its secrets. */
const applicationOf = (store: Store, tenant: Tenant, id: string): Promise<ClaimsContext> =>
  store.cache.get(tenant.id, `claims-application:${id}`, async () => {
    const row: ApplicationRow = await getApplication(store, tenant, id)
    const value = {
      id: row.id,
      name: row.name,
      description: row.description,
      type: row.type,
      oidcClientMetadata: row.oidc_client_metadata,
      customClientMetadata: row.custom_client_metadata,
      customData: row.custom_data,
      isThirdParty: row.is_third_party,
      createdAt: row.created_at.getTime(),
    }
    return { value, tags: [applicationTag(id)] }
  })

/** As the Management API shows a user, with what they hold. */
const userOf = (row: Person): ClaimsContext => ({
  id: row.id,
  username: row.username,
  primaryEmail: row.primary_email,
  primaryPhone: row.primary_phone,
  name: row.name,
  avatar: row.avatar,
  customData: row.custom_data,
  identities: row.identities,
  profile: row.profile,
  applicationId: row.application_id,
  isSuspended: row.is_suspended,
  hasPassword: row.password_hash !== null,
  lastSignInAt: row.last_sign_in_at?.getTime() ?? null,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
  ssoIdentities: [],
  mfaVerificationFactors: [],
  roles: row.roles,
  organizations: row.organizations,
  organizationRoles: row.organization_roles,
})

/**
 * The context of the token that an Authorization leads to.
 * @param db the transaction of the grant, so that what it changed is seen
 */
export const claimsContext = async (
  store: Store,
  tenant: Tenant,
  authorization: Authorization,
  db: Db,
): Promise<ClaimsContext> => {
  const { subject, client, grantContext, organizationId, grant } = authorization
  if (subject.type === 'application') return { application: await applicationOf(store, tenant, client.id) }
  const [application, person] = await Promise.all([
    applicationOf(store, tenant, client.id),
    authorization.person ??
      readPerson(db, tenant, { userId: subject.id, organizationId, sessionId: grant?.sessionId ?? undefined }),
  ])
  return {
    ...(person && { user: userOf(person) }),
    ...(grantContext && { grant: grantContext }),
    ...(person?.interaction ? { interaction: person.interaction } : {}),
    application,
    ...(person?.organization ? { organization: person.organization } : {}),
  }
}
