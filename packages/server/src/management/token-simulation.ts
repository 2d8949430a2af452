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
import type { GrantAuthorization, MachineAuthorization } from '../tokens/authorization.ts'

/** As the protocol does it. */
export type SimulateToken = (
  tenant: Tenant,
  asked: {
    /** Undefined: the application itself. */
    readonly userId: string | undefined
    readonly client: Client
    readonly scope: string
    readonly resource: string | undefined
    readonly organizationId: string | undefined
  },
) => Promise<
  | { readonly authorization: GrantAuthorization | MachineAuthorization }
  | { readonly error: string; readonly description: string; readonly reason: string | undefined }
>

/** The most scopes that a request may name. */
const MOST_SCOPES = 200

/** The API that is meant, if there is one. */
const resourceOf = (store: Store, tenant: Tenant, indicator: string | undefined, hasOpenId: boolean) => {
  if (indicator !== undefined) return findResource(store, tenant, indicator)
  return hasOpenId ? undefined : findDefaultResource(store, tenant)
}

/** Whose token, and what a request for it would say. */
interface Question {
  /** Undefined: the application itself. */
  readonly userId: string | undefined
  readonly applicationId: string
  readonly scope?: string
  readonly resource?: string
  readonly organizationId?: string
}

/** What is to be simulated: the names of all permissions of the place if none were named. Throws 404 for a user or an application. */
export const askedOf = async (store: Store, tenant: Tenant, question: Question) => {
  const { userId, applicationId, resource: indicator, organizationId } = question
  if (userId !== undefined) await getUser(store, tenant, userId)
  await getApplication(store, tenant, applicationId)
  const client = await findClient(store, tenant, applicationId)
  if (!client) throw notFound('application', applicationId)
  const named = question.scope?.split(' ').filter(Boolean)
  const resource = await resourceOf(store, tenant, indicator, named?.includes('openid') ?? false)
  const place = { resourceId: resource?.id, organizationId }
  const names = named ?? (await permissionNames(store, tenant, place, MOST_SCOPES - 1))
  const isMember = userId !== undefined && organizationId !== undefined
  const scope = (isMember ? [...new Set([...names, ORGANIZATIONS_SCOPE])] : names).join(' ')
  return { names, place, asked: { userId, client, scope, resource: indicator, organizationId } }
}

export const tokenSimulationHandlers = (simulate: SimulateToken) =>
  bind(tokenSimulationRoutes, {
    async simulateUserToken({ params: { userId, applicationId }, query }, { store, tenant, caller }) {
      const { names, place, asked } = await askedOf(store, tenant, { userId, applicationId, ...query })
      const [outcome, paths] = await Promise.all([simulate(tenant, asked), pathsOfUser(store, tenant, userId, place)])
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
