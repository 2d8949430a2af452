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

/** The id of the user with this name, in any of its readings. */
const userNamed = async (store: Store, tenant: Tenant, name: string): Promise<string | undefined> => {
  for (const identifier of readings(name, false)) {
    const row = await findUserByIdentifier(store.database.kysely, tenant.id, identifier)
    if (row) return row.id
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
 * Makes a user an administrator with this role only; where no user has the name, creates one and returns the password.
 * @param name a username, an email address or a phone number
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
      await perform(work, setAdministrator, known, [roleId])
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
    const userId = (await userNamed(store, tenant, name)) ?? name
    await perform({ store, tenant, caller: systemCaller('removeAdministrator') }, removeAdministrator, userId)
  })
