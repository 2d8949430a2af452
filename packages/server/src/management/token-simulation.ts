/** `/users/:userId/applications/:applicationId/simulated-token`: which token a user would get at an application, and through which roles. */
import { ORGANIZATIONS_SCOPE } from '@countersign/contract/reserved-names.ts'
import { tokenSimulationRoutes } from '@countersign/contract/token-simulation.ts'
import { type PathToPermission, pathsOfUser, permissionNames } from '../domain/access/paths.ts'
import { type Client, findClient } from '../domain/applications/clients.ts'
import { getApplication } from '../domain/applications/rows.ts'
import { holds } from '../domain/permissions/management-access.ts'
import { findDefaultResource, findResource } from '../domain/permissions/resources.ts'
import { getUser } from '../domain/users/rows.ts'
import { bind } from '../http/api.ts'
import { notFound } from '../kernel/api-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import type { GrantAuthorization } from '../tokens/authorization.ts'

/** As the protocol does it. */
export type SimulateToken = (
  tenant: Tenant,
  asked: {
    readonly userId: string
    readonly client: Client
    readonly scope: string
    readonly resource: string | undefined
    readonly organizationId: string | undefined
  },
) => Promise<
  | { readonly authorization: GrantAuthorization }
  | { readonly error: string; readonly description: string; readonly reason: string | undefined }
>

/** The most scopes that a request may name. */
const MOST_SCOPES = 200

/** The API that is meant, if there is one. */
const resourceOf = (store: Store, tenant: Tenant, indicator: string | undefined, hasOpenId: boolean) => {
  if (indicator !== undefined) return findResource(store, tenant, indicator)
  return hasOpenId ? undefined : findDefaultResource(store, tenant)
}

export const tokenSimulationHandlers = (simulate: SimulateToken) =>
  bind(tokenSimulationRoutes, {
    async simulateUserToken({ params: { userId, applicationId }, query }, { store, tenant, caller }) {
      const { resource: indicator, organizationId } = query
      await getUser(store, tenant, userId)
      await getApplication(store, tenant, applicationId)
      const client = await findClient(store, tenant, applicationId)
      if (!client) throw notFound('application', applicationId)
      const named = query.scope?.split(' ').filter(Boolean)
      const resource = await resourceOf(store, tenant, indicator, named?.includes('openid') ?? false)
      const place = { resourceId: resource?.id, organizationId }
      const names = named ?? (await permissionNames(store, tenant, place, MOST_SCOPES - 1))
      const scope = organizationId === undefined ? names : [...new Set([...names, ORGANIZATIONS_SCOPE])]
      const [outcome, paths] = await Promise.all([
        simulate(tenant, { userId, client, scope: scope.join(' '), resource: indicator, organizationId }),
        pathsOfUser(store, tenant, userId, place),
      ])
      const shown = paths.filter(({ type }) => type === 'role' || holds(caller, 'read:organization-template'))
      const pathsTo = (name: string) =>
        shown
          .filter(({ permission }: PathToPermission) => permission === name)
          .map(({ permission: _, ...path }) => path)
      if (!('authorization' in outcome)) {
        const { error, description, reason } = outcome
        const scopes = names.map((name) => ({
          name,
          isGranted: false,
          why: reason ?? description,
          paths: pathsTo(name),
        }))
        const refusal = { error, description, reason: reason ?? null }
        return { refusal, kind: null, why: null, audience: null, expiresIn: null, scopes }
      }
      const { scopes: granted, dropped, why, resource: audience } = outcome.authorization
      const whyNot = new Map(dropped.map((each) => [each.scope, each.why]))
      return {
        refusal: null,
        kind: audience ? ('jwt' as const) : ('opaque' as const),
        why,
        audience: audience?.indicator ?? null,
        expiresIn: audience?.accessTokenTtl ?? null,
        scopes: names.map((name) => {
          const isGranted = granted.includes(name)
          return { name, isGranted, why: isGranted ? null : (whyNot.get(name) ?? null), paths: pathsTo(name) }
        }),
      }
    },
  })
