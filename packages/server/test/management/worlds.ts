/** A world for each route that tests call with success, and as few of them as that takes: one is some fifty requests. */
import type { Method, Route } from '@countersign/contract/route.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import { createWorld, NOWHERE, pathIn, sampleBody, type World } from './arrange.ts'

/** What they change is what another route needs: a name, a password that was, a session. PUT and DELETE are such anyway. */
const TAKING_AWAY = new Set([
  'POST /users/:userId/personal-access-tokens/delete',
  'PATCH /users/:userId/personal-access-tokens',
  'PATCH /users/:userId/personal-access-tokens/:name',
  'PATCH /users/:userId/password',
  'PATCH /users/:userId/is-suspended',
  'PATCH /applications/:id/secrets/:name',
  'PATCH /resources/:resourceId/scopes/:scopeId',
])

/** A tenant has one connector of a kind, one script for each kind of token, one main key, one captcha: those of the last world. */
const isOfTheLast = (path: string): boolean =>
  path.startsWith('/connectors/:id') || /^\/(configs\/(jwt-customizer|oidc)|captcha-provider)/.test(path)

type WorldId = keyof World

/** What goes with it when it is taken away. */
const ALONG: Readonly<Partial<Record<WorldId, readonly WorldId[]>>> = {
  resourceId: ['scopeId', 'freeScopeId', 'typeId', 'impersonationId'],
  userId: ['sessionId', 'grantId', 'verificationId', 'trustedDeviceId', 'tokenSetId', 'impersonationId'],
  webApplicationId: ['impersonationId', 'signalStreamId'],
  freeUserId: ['acceptableInvitationId'],
  thirdPartyId: ['sessionId', 'grantId'],
  hookId: ['deliveryId'],
  ssoConnectorId: ['ssoSigningKeyId'],
  organizationId: ['invitationId', 'acceptableInvitationId', 'emailDomain', 'domain'],
  organizationRoleId: ['invitationId'],
  templateLanguage: ['emailTemplateId'],
  oneTimeTokenId: ['oneTimeToken'],
  scimDirectoryId: ['scimTokenId', 'scimGroupId'],
  oneTimeToken: ['oneTimeTokenId'],
  samlApplicationId: ['secretId'],
}

/** What is the same in every world. */
const CONSTANT: ReadonlySet<string> = new Set([
  'target',
  'name',
  'scopeType',
  'tokenTypePath',
  'version',
  'factoryId',
  'mailPort',
])

/** A route of the contract, or a request that is made of a world, with what comes of it. */
type Called =
  | Route
  | {
      readonly method: Method
      readonly path: string
      readonly at: (world: World) => string
      readonly body?: (world: World) => unknown
      readonly fields?: (world: World) => unknown
    }

/** The ids of a world that a request names. */
const namedBy = (called: Called): Set<WorldId> => {
  const named = new Set<WorldId>()
  const world = new Proxy(NOWHERE, {
    get: (ids, name) => {
      if (!CONSTANT.has(String(name))) named.add(name as WorldId)
      return ids[name as WorldId]
    },
  })
  if ('at' in called) {
    called.at(world)
    called.body?.(world)
    called.fields?.(world)
  } else {
    pathIn(world, called)
    sampleBody(called, world)
  }
  return named
}

/**
 * Gives each route a world in which it can succeed. What only adds or reads shares one: it finds everything as it was made,
 * because a route is given the same world once only. What takes something away, by its method or by the list above, shares one
 * with others that name nothing of what it names. The test clock has moved on since the last request, so that what follows is
 * the newest.
 */
export const worldsOf = (server: TestServer): ((called: Called) => Promise<World>) => {
  let shared: Promise<World> | undefined
  const seen = new Set<string>()
  const worlds: { readonly world: World; readonly taken: Set<WorldId> }[] = []
  return async (called) => {
    server.clock.advance(1)
    const { method, path } = called
    const title = `${method} ${path}`
    if (isOfTheLast(path) && method !== 'POST') return createWorld(server)
    if (method === 'PUT' || method === 'DELETE' || TAKING_AWAY.has(title)) {
      const named = namedBy(called)
      const free = worlds.find(({ taken }) => taken.isDisjointFrom(named))
      const { world, taken } = free ?? { world: await createWorld(server), taken: new Set<WorldId>() }
      if (!free) worlds.push({ world, taken })
      for (const id of named) for (const each of [id, ...(ALONG[id] ?? [])]) taken.add(each)
      return world
    }
    if (method !== 'GET') {
      if (seen.has(title)) return createWorld(server)
      seen.add(title)
    }
    shared ??= createWorld(server)
    return shared
  }
}
