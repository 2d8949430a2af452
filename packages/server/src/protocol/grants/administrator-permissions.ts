/** The permissions of a token for the Management API that the console gets for a user: those that they hold as an administrator (DECISIONS U2). */
import { MANAGEMENT_PERMISSIONS } from '@countersign/contract/permissions.ts'
import { covers, permissionsOfAdministrator } from '../../domain/administrators/permissions.ts'
import type { Client } from '../../domain/applications/clients.ts'
import { CONSOLE_ID, CONSOLE_TOKEN_SECONDS } from '../../domain/applications/console.ts'
import type { TargetResource } from '../../domain/permissions/resources.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { DroppedScope } from '../../tokens/authorization.ts'
import { grantHeld } from '../scope.ts'

const NAMES: ReadonlySet<string> = new Set(MANAGEMENT_PERMISSIONS.map(({ name }) => name))

/** Whether a token of this client for this API carries permissions of the Management API for a user. */
const isOfConsole = ({ id }: Pick<Client, 'id'>, resource: TargetResource | undefined): resource is TargetResource =>
  id === CONSOLE_ID && resource?.isManagement === true

/** The API with the lifetime of its tokens: those of administrators live for minutes. */
export const withLifetime = <R extends TargetResource | undefined>(client: Client, resource: R): R =>
  isOfConsole(client, resource)
    ? { ...resource, accessTokenTtl: Math.min(resource.accessTokenTtl, CONSOLE_TOKEN_SECONDS) }
    : resource

/**
 * The requested permissions that the user holds as an administrator; undefined for a token that is not the console's for the
 * Management API. Throws access_denied for a user who is no administrator.
 */
export const administratorScopes = async (
  { tx, tenant }: Pick<Unit, 'tx' | 'tenant'>,
  client: Client,
  resource: TargetResource | undefined,
  userId: string,
  requested: readonly string[],
): Promise<{ readonly scopes: readonly string[]; readonly dropped: readonly DroppedScope[] } | undefined> => {
  if (!isOfConsole(client, resource)) return undefined
  const held = await permissionsOfAdministrator(tx, tenant, userId)
  if (!held) {
    const reason = 'the user is not an administrator'
    throw new OAuthError('access_denied', 'the user is not an administrator of this tenant', { reason })
  }
  return grantHeld(requested, { has: (scope) => NAMES.has(scope) && covers(held, scope) })
}
