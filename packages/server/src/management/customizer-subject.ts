/** Whose token a claims script is tested with: what it would see of a real user or application, by the code that issues tokens. */
import type { jwtCustomizerRoutes } from '@countersign/contract/jwt-customizer.ts'
import type { Permission } from '@countersign/contract/permissions.ts'
import type { RouteInput } from '@countersign/contract/route.ts'
import { holds } from '../domain/permissions/management-access.ts'
import { ApiError } from '../kernel/api-error.ts'
import type { Caller } from '../kernel/caller.ts'
import { newId } from '../kernel/ids.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import type { JwtAuthorization } from '../tokens/authorization.ts'
import { hasCustomClaims, type ScriptView, scriptView } from '../tokens/claims/custom-claims.ts'
import { rehearseJwt } from '../tokens/mint.ts'
import { newTokenId } from '../tokens/token-id.ts'
import { askedOf, type SimulateToken } from './token-simulation.ts'

type Body = RouteInput<typeof jwtCustomizerRoutes.testJwtCustomizer>['body']
type Subject = NonNullable<Body['subject']>

/** What the context shows of an application, and of a user. */
const OF_APPLICATION: readonly Permission[] = ['read:applications']
const OF_USER: readonly Permission[] = [...OF_APPLICATION, 'read:users', 'read:roles', 'read:organizations']

/** Throws 403 naming what the caller lacks. */
const assertMayRead = (caller: Caller, { userId }: Subject): void => {
  const missing = (userId === undefined ? OF_APPLICATION : OF_USER).filter((each) => !holds(caller, each))
  if (missing.length > 0) throw new ApiError('auth.forbidden', { permission: missing.join(' ') })
}

const noToken = (reason: string): ApiError => new ApiError('jwt_customizer.general', { reason, failure: 'token' })

type Members = Readonly<Record<string, unknown>>

/** A token whose claims a script is asked for. */
interface Rehearsal {
  readonly view: ScriptView
  /** 422 where the token with these claims would be too long; undefined where it would be issued. @param details data of the error */
  readonly whyTooLong: (claims: Members, details: Members) => Promise<ApiError | undefined>
}

/**
 * What the script gets for the subject after a sign-in that passed every factor, in a grant that does not exist; nothing is recorded.
 * Throws 403, 404 for a user or an application, 400 where the subject has no tokens of this type, and 422 where no token would
 * be issued, or one without custom claims.
 */
export const rehearse = async (
  { store, tenant, caller }: { readonly store: Store; readonly tenant: Tenant; readonly caller: Caller },
  simulate: SimulateToken,
  tokenType: Body['tokenType'],
  subject: Subject,
): Promise<Rehearsal> => {
  assertMayRead(caller, subject)
  if ((tokenType === 'access-token') !== (subject.userId !== undefined))
    throw new ApiError('guard.invalid_input', {
      reason: 'subject has a userId for a token of type access-token, and none for client-credentials',
    })
  const { asked } = await askedOf(store, tenant, { userId: undefined, ...subject })
  const outcome = await simulate(tenant, asked)
  if (!('authorization' in outcome))
    throw noToken(`there would be no token: ${outcome.error}: ${outcome.reason ?? outcome.description}`)
  const { authorization } = outcome
  const { resource } = authorization
  if (!resource) throw noToken('the token would be opaque: it has no custom claims')
  const grant = 'grant' in authorization ? { ...authorization.grant, id: newId() } : undefined
  const jwt = { ...authorization, resource, ...(grant && { grant }) } as JwtAuthorization
  if (!hasCustomClaims(tenant, jwt)) throw noToken('a token for the Management API has no custom claims')
  const [jti, now] = [newTokenId(grant), store.clock.now()]
  return {
    view: await scriptView(store, tenant, jwt, jti, now, store.database.kysely),
    async whyTooLong(claims, details) {
      try {
        await rehearseJwt(store, tenant, jwt, jti, now, claims)
        return undefined
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error
        return new ApiError('jwt_customizer.general', { reason: error.description, failure: 'size', ...details })
      }
    },
  }
}
