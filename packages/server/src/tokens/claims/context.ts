/**
 * The context that a custom claims script gets besides the token (DECISIONS J1). For a user: one more statement, in the
 * grant's transaction if there is one, sent together with the grant's own if the grant does that; for a machine: only
 * the cache.
 */
import { type ApplicationRow, applicationTag, getApplication } from '../../domain/applications/rows.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import type { Store } from '../../storage/store.ts'
import type { JwtAuthorization } from '../authorization.ts'
import { type Person, readPerson } from './person.ts'

/** The application with its data and without its secrets, as JSON. */
const applicationOf = (store: Store, tenant: Tenant, id: string): Promise<string> =>
  store.cache.get(tenant.id, `claims-application:${id}`, async () => {
    const row: ApplicationRow = await getApplication(store, tenant, id)
    const value = JSON.stringify({
      id: row.id,
      name: row.name,
      description: row.description,
      type: row.type,
      oidcClientMetadata: row.oidc_client_metadata,
      customClientMetadata: row.custom_client_metadata,
      customData: row.custom_data,
      isThirdParty: row.is_third_party,
      appLevelAccessControlEnabled: row.has_access_control,
      createdAt: row.created_at.getTime(),
    })
    return { value, tags: [applicationTag(id)] }
  })

/** A JSON object of members that are JSON; undefined ones are left out. */
const objectOf = (members: Readonly<Record<string, string | null | undefined>>): string =>
  `{${Object.entries(members)
    .flatMap(([name, json]) => (json ? [`"${name}":${json}`] : []))
    .join(',')}}`

/** The user of an Authorization, unless already read together with the rest. */
const personOf = (
  authorization: Exclude<JwtAuthorization, { kind: 'machine' }>,
  tenant: Tenant,
  db: Db,
): Promise<Person | undefined> => {
  const { userId, organizationId } = authorization
  if (authorization.kind === 'exchange')
    return authorization.person ?? readPerson(db, tenant, { userId, organizationId })
  return readPerson(db, tenant, { userId, organizationId, sessionId: authorization.grant.sessionId })
}

/**
 * The context of the token that an Authorization leads to, as JSON.
 * @param db the transaction of the grant, so that its changes are visible
 */
export const claimsContext = async (
  store: Store,
  tenant: Tenant,
  authorization: JwtAuthorization,
  db: Db,
): Promise<string> => {
  const reading = applicationOf(store, tenant, authorization.client.id)
  if (authorization.kind === 'machine') return objectOf({ application: await reading })
  const [application, person] = await Promise.all([reading, personOf(authorization, tenant, db)])
  return objectOf({
    user: person?.user,
    grant: authorization.kind === 'exchange' ? JSON.stringify(authorization.grantContext) : undefined,
    interaction: person?.interaction,
    application,
    organization: person?.organization,
  })
}
