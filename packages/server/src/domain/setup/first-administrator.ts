/**
 * The first administrator of a tenant: made by a one-time link that the operator gets from the terminal, and only while the tenant has
 * none (DECISIONS U6).
 */
import type { UserCreate } from '@countersign/contract/users.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { ApiError } from '../../kernel/api-error.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { newHashedOpaque, opaqueHash } from '../../kernel/opaque.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, perform, type Work } from '../../storage/unit-of-work.ts'
import { hasAdministrator, setAdministrator } from '../administrators/administrators.ts'
import { OWNER } from '../administrators/built-in-roles.ts'
import { hashPassword, type StoredPassword } from '../credentials/passwords.ts'
import type { SignInExperience } from '../sign-in/experience.ts'
import {
  assertNewPassword,
  FIELD_OF,
  type IdentifierType,
  newIdentifier,
  passwordIdentifiers,
  readIdentifier,
} from '../sign-in/rules.ts'
import { createUser } from '../users/users.ts'

type NewUser = Static<typeof UserCreate>

/** How long a link lasts, in seconds; each start of the server prints another. */
const LINK_SECONDS = 86_400

/** A secret for a new link; undefined where there is an administrator already. Links that have expired are deleted. */
export const createAdministratorLink = operation([], async (unit): Promise<string | undefined> => {
  const { tx, tenant, now } = unit
  if (await hasAdministrator(tx, tenant)) return undefined
  const { value, hash } = newHashedOpaque('administratorLink')
  await tx.deleteFrom('administrator_links').where(inTenant(tenant.id)).where('expires_at', '<=', now).execute()
  await tx
    .insertInto('administrator_links')
    .values({ tenant_id: tenant.id, secret_hash: hash, expires_at: secondsAfter(now, LINK_SECONDS) })
    .execute()
  return value
})

/** Whether a link with this secret makes the first administrator. */
export const isAdministratorLink = async (
  { database: { kysely }, clock }: Store,
  tenant: Tenant,
  secret: string,
): Promise<boolean> => {
  const hash = opaqueHash('administratorLink', secret)
  if (!hash || (await hasAdministrator(kysely, tenant))) return false
  const row = await kysely
    .selectFrom('administrator_links')
    .select('tenant_id')
    .where(inTenant(tenant.id))
    .where('secret_hash', '=', hash)
    .where('expires_at', '>', clock.now())
    .executeTakeFirst()
  return row !== undefined
}

/** By what an administrator can have a name: what the tenant signs in with a password; nothing of it: a username. */
export const namesOfAdministrators = (experience: SignInExperience): readonly IdentifierType[] => {
  const types = passwordIdentifiers(experience)
  return types.length > 0 ? types : ['username']
}

const claimed = operation(
  ['User.Created'],
  async (unit, secret: string, fields: NewUser, password: StoredPassword): Promise<void> => {
    const { tx, tenant, now } = unit
    // every link of the tenant, so that of two that are used at once one waits for the other and finds none
    const { rows } = await sql<{ secret_hash: Buffer }>`
      DELETE FROM administrator_links WHERE tenant_id = ${tenant.id}
      RETURNING secret_hash, expires_at > ${now} AS is_live`.execute(tx)
    const hash = opaqueHash('administratorLink', secret)
    const isLive = rows.some((row) => hash?.equals(row.secret_hash) && 'is_live' in row && row.is_live === true)
    if (!isLive || (await hasAdministrator(tx, tenant))) throw new ApiError('entity.not_found')
    const { id } = await createUser.run(unit, fields, password)
    await setAdministrator.run(unit, id, [OWNER])
  },
)

/**
 * Makes the first administrator, an owner, and uses the link up. Throws 404 for a link that is not live, 400 and 422 for a name or a
 * password that the tenant does not allow, or a name that is taken: the link then stays.
 */
export const makeFirstAdministrator = async (
  work: Work,
  experience: SignInExperience,
  { secret, name, password }: { readonly secret: string; readonly name: string; readonly password: string },
): Promise<void> => {
  if (!(await isAdministratorLink(work.store, work.tenant, secret))) throw new ApiError('entity.not_found')
  const { type, value } = await newIdentifier(readIdentifier(name, namesOfAdministrators(experience)), experience)
  const fields: NewUser = { [FIELD_OF[type]]: value }
  await assertNewPassword(work, password, experience, [value])
  await perform(work, claimed, secret, fields, await hashPassword(password))
}
