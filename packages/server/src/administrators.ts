/** What an operator does about administrators from the command line, on the database itself: without limits, and with the rule of the last owner. */
import { withStore } from './administration.ts'
import type { Configuration } from './configuration.ts'
import {
  type AdministratorRow,
  listAdministrators,
  removeAdministrator,
  setAdministrator,
} from './domain/administrators/administrators.ts'
import { readings } from './domain/credentials/lockout.ts'
import { hashPassword } from './domain/credentials/passwords.ts'
import { createAdministratorLink, namesOfAdministrators } from './domain/setup/first-administrator.ts'
import { signInExperience } from './domain/sign-in/experience.ts'
import { FIELD_OF, newIdentifier, readIdentifier } from './domain/sign-in/rules.ts'
import { getTenant } from './domain/tenants/tenants.ts'
import { findUserByIdentifier } from './domain/users/rows.ts'
import { createUser } from './domain/users/users.ts'
import { systemCaller } from './kernel/caller.ts'
import { ConfigurationError } from './kernel/configuration.ts'
import { newBytes } from './kernel/ids.ts'
import type { Tenant } from './kernel/tenant.ts'
import { inTenant } from './storage/in-tenant.ts'
import type { Store } from './storage/store.ts'
import { operation, perform } from './storage/unit-of-work.ts'

/** The address of a one-time link that makes the first administrator; undefined where there is one. */
export const administratorLink = async (store: Store, tenant: Tenant): Promise<string | undefined> => {
  const work = { store, tenant, caller: systemCaller('createAdministratorLink') }
  const secret = await perform(work, createAdministratorLink)
  return secret === undefined ? undefined : `${tenant.baseUrl}/first-administrator?token=${secret}`
}

const inTenantOf = <T>(
  configuration: Configuration,
  tenantId: string,
  work: (store: Store, tenant: Tenant) => Promise<T>,
): Promise<T> => withStore(configuration, async (store) => work(store, await getTenant(store, tenantId)))

/** The same for the command. Throws where there is an administrator. */
export const newAdministratorLink = (configuration: Configuration, tenantId: string): Promise<string> =>
  inTenantOf(configuration, tenantId, async (store, tenant) => {
    const link = await administratorLink(store, tenant)
    if (link === undefined)
      throw new ConfigurationError(
        `The tenant ${tenantId} has administrators already; countersign admin create adds another.`,
      )
    return link
  })

/** A user, and whether the name is proved to be theirs: an address or a number that was never verified may be another's. */
interface Named {
  readonly id: string
  readonly isProved: boolean
}

/** The user with this id, or this name in any of its readings. */
const userNamed = async (store: Store, tenant: Tenant, name: string): Promise<Named | undefined> => {
  const db = store.database.kysely
  const byId = await db
    .selectFrom('users')
    .select('id')
    .where(inTenant(tenant.id))
    .where('id', '=', name)
    .executeTakeFirst()
  if (byId) return { ...byId, isProved: true }
  for (const identifier of readings(name, false)) {
    const row = await findUserByIdentifier(db, tenant.id, identifier)
    if (!row) continue
    const verifiedAt = { username: row.created_at, email: row.email_verified_at, phone: row.phone_verified_at }
    return { id: row.id, isProved: verifiedAt[identifier.type] !== null }
  }
  return undefined
}

const created = operation(
  ['User.Created'],
  async (
    unit,
    fields: Readonly<Record<string, string>>,
    hash: Awaited<ReturnType<typeof hashPassword>>,
    roleId: string,
  ) => {
    const { id } = await createUser.run(unit, fields, hash)
    await setAdministrator.run(unit, id, [roleId])
  },
)

/**
 * Makes a user an administrator with this role only; where no user has the name, creates one and returns the password. Throws for a
 * user who has not verified the address or the number.
 * @param name the id of a user, a username, an email address or a phone number
 */
export const addAdministrator = (
  configuration: Configuration,
  tenantId: string,
  name: string,
  roleId: string,
): Promise<string | undefined> =>
  inTenantOf(configuration, tenantId, async (store, tenant) => {
    const work = { store, tenant, caller: systemCaller('setAdministrator') }
    const known = await userNamed(store, tenant, name)
    if (known !== undefined) {
      if (!known.isProved)
        throw new ConfigurationError(
          `A user has ${name} without having verified it, and may be someone else. If not, name them by the id: ${known.id}`,
        )
      await perform(work, setAdministrator, known.id, [roleId])
      return undefined
    }
    const experience = await signInExperience(store, tenant)
    const { type, value } = await newIdentifier(readIdentifier(name, namesOfAdministrators(experience)), experience)
    const password = `${newBytes(15).toString('base64url')}.aA1`
    await perform(work, created, { [FIELD_OF[type]]: value }, await hashPassword(password), roleId)
    return password
  })

/** The administrators of a tenant, newest first, at most 1,000. */
export const administratorsOf = (
  configuration: Configuration,
  tenantId: string,
): Promise<readonly AdministratorRow[]> =>
  inTenantOf(
    configuration,
    tenantId,
    async (store, tenant) => (await listAdministrators(store, tenant, { page: 1, pageSize: 1000 })).items,
  )

/** The user stays. Throws for the last owner, and where no administrator has the name. */
export const dropAdministrator = (configuration: Configuration, tenantId: string, name: string): Promise<void> =>
  inTenantOf(configuration, tenantId, async (store, tenant) => {
    const userId = (await userNamed(store, tenant, name))?.id ?? name
    await perform({ store, tenant, caller: systemCaller('removeAdministrator') }, removeAdministrator, userId)
  })
