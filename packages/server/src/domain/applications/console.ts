/**
 * The console, an application that every tenant has: public, first-party, and with one redirect URI, where the console is. It
 * is the only one whose tokens let a user call the Management API (DECISIONS U2). No route shows, changes or deletes it.
 */
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Unit } from '../../storage/unit-of-work.ts'

/** Ids of other applications are 21 letters and digits. */
export const CONSOLE_ID = 'console'

/** Seconds: a user's token for the Management API lives no longer, and the console gets another in the session of the browser. */
export const CONSOLE_TOKEN_SECONDS = 600

/** The address of its first screen; undefined: the tenant has no console. */
export const consoleAddress = ({ consoleOrigin }: Pick<Store, 'consoleOrigin'>, tenant: Tenant): string | undefined => {
  const origin = consoleOrigin(tenant)
  return origin === undefined ? undefined : `${origin}/console`
}

/** Where a sign-in to it returns to, and where a sign-out does: nowhere, if the tenant has no console. */
export const consoleAddresses = (store: Pick<Store, 'consoleOrigin'>, tenant: Tenant) => {
  const address = consoleAddress(store, tenant)
  return address === undefined
    ? { redirectUris: [], postLogoutRedirectUris: [] }
    : { redirectUris: [`${address}/callback`], postLogoutRedirectUris: [address] }
}

/** Registers it for the unit's tenant, unless it is. */
export const insertConsole = async ({ tx, tenant, now }: Unit): Promise<void> => {
  const found = await tx
    .selectFrom('applications')
    .select('id')
    .where(inTenant(tenant.id))
    .where('id', '=', CONSOLE_ID)
    .executeTakeFirst()
  if (found) return
  await tx
    .insertInto('applications')
    .values({
      tenant_id: tenant.id,
      id: CONSOLE_ID,
      name: 'Console',
      type: 'SPA',
      oidc_client_metadata: '{"redirectUris":[],"postLogoutRedirectUris":[]}',
      custom_client_metadata: '{}',
      custom_data: '{}',
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
