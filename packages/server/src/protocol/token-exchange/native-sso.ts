/**
 * The exchange of OpenID Connect Native SSO for Mobile Apps 1.0 (section 4, DECISIONS G18 to G20): an application of the same group, on the
 * same device, gets tokens of the user's session for the ID token and the device secret of another.
 */
import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { grantedScopeIds } from '../../domain/access/access.ts'
import { type Client, findClient, isPossibleId } from '../../domain/applications/clients.ts'
import { userOfSubject } from '../../domain/applications/subjects.ts'
import { deviceSecretHash, sessionOfDevice, ssoGroupOf } from '../../domain/issued/device-secrets.ts'
import { startFamily } from '../../domain/issued/refresh-families.ts'
import { recordGrant, SessionEnded } from '../../domain/sessions/grants.ts'
import { endsWithSession } from '../../domain/sessions/session-of-grant.ts'
import type { Session } from '../../domain/sessions/sessions.ts'
import { signingKeys } from '../../domain/tenants/signing-keys.ts'
import type { Parameters } from '../../http/parameters.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { GrantAuthorization } from '../../tokens/authorization.ts'
import { readIdToken } from '../../tokens/id-token.ts'
import { checkResources, checkScope, cutScopes } from '../authorize/checks.ts'
import { single } from '../endpoint.ts'
import type { GrantRequest } from '../grants/grant.ts'
import { refreshBinding, refreshLifetime, usesRefreshTokens } from '../grants/refresh-policy.ts'
import { authorizeUser } from '../grants/user-authorization.ts'
import { requestedOrganization } from '../organization-token.ts'
import { asDirectError } from '../pushed-authorization.ts'
import { userTokenTarget } from '../user-token-target.ts'
import { refuseSubject } from './subject.ts'
import { required } from './target.ts'
import { ACCESS_TOKEN_TYPE, ID_TOKEN_TYPE, isDeviceSecretType } from './token-types.ts'

/** Whether a request is one of native SSO: its actor is a device. */
export const isNativeSso = (parameters: Parameters): boolean =>
  isDeviceSecretType(single(parameters, 'actor_token_type'))

const assertParameters = ({ tenant, parameters }: GrantRequest): void => {
  if (required(parameters, 'subject_token_type') !== ID_TOKEN_TYPE)
    throw new OAuthError('invalid_request', `subject_token_type must be ${ID_TOKEN_TYPE} with a device secret`)
  const requested = single(parameters, 'requested_token_type') ?? ACCESS_TOKEN_TYPE
  if (requested !== ACCESS_TOKEN_TYPE)
    throw new OAuthError('invalid_request', `requested_token_type must be ${ACCESS_TOKEN_TYPE}`)
  if (required(parameters, 'audience') !== tenant.issuer)
    throw new OAuthError('invalid_target', 'audience must be the issuer of this server')
  // a user approves them, and nobody is asked here
  if (single(parameters, 'authorization_details') !== undefined)
    throw new OAuthError('invalid_request', 'there are no authorization_details with a device secret')
}

const sameText = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Who the ID token is about, and in which session. Its end does not matter: the session counts (section 4.2). Throws invalid_grant unless
 * an application of the group got it from this server, together with this secret.
 */
const subjectOf = async ({ store, tenant }: GrantRequest, group: string, value: string, secret: string) => {
  const claims = readIdToken(await signingKeys(store, tenant), tenant, value)
  const { sub, aud, sid, ds_hash: secretHash } = claims ?? {}
  if (typeof sub !== 'string' || typeof aud !== 'string') throw refuseSubject('it is not an ID token of this server')
  const owner = isPossibleId(aud) ? await findClient(store, tenant, aud) : undefined
  if (!owner || ssoGroupOf(owner) !== group)
    throw refuseSubject('the ID token was issued to no application of this group')
  if (typeof sid !== 'string' || typeof secretHash !== 'string')
    throw refuseSubject('the ID token came without a device secret')
  if (!sameText(secretHash, deviceSecretHash(secret)))
    throw refuseSubject('the device secret is not the one of the ID token')
  return { userId: userOfSubject(store, tenant, owner, sub) ?? sub, sessionId: sid, applicationId: owner.id }
}

/** What is asked for, checked and cut as in an authorization request. */
const askedFor = async ({ store, tenant, client, parameters }: GrantRequest) => {
  try {
    const resources = await checkResources(store, tenant, parameters)
    return { resources, ...(await cutScopes(store, tenant, client, checkScope(parameters), resources)) }
  } catch (error) {
    throw asDirectError(error)
  }
}

/** A grant of its own in the session. Throws invalid_grant if that has ended. */
const grantIn = async (
  unit: Unit<'Grant.LimitExceeded'>,
  session: Pick<Session, 'id' | 'userId'>,
  client: Client,
  scopes: readonly string[],
): Promise<string> => {
  try {
    return await recordGrant(unit, session, client, { scopes, consentedIds: null, isOfDevice: true })
  } catch (error) {
    throw error instanceof SessionEnded ? refuseSubject('the session of the device has ended') : error
  }
}

/** Ids of the permissions among the scopes that the user holds now: later ones need another authorization. */
const heldNow = async (
  { tx, tenant }: Unit,
  userId: string,
  scopes: readonly string[],
  resources: readonly string[],
): Promise<string[]> => {
  const { rows } = await sql<{
    ids: string[]
  }>`SELECT ${grantedScopeIds(tenant, userId, scopes, resources)} AS ids`.execute(tx)
  return rows[0]?.ids ?? []
}

const groupOf = (client: Client): string => {
  const group = ssoGroupOf(client)
  if (group === undefined)
    throw new OAuthError('unauthorized_client', 'the application shares no sign-ins with others (nativeSsoGroup)')
  return group
}

/**
 * Concludes tokens in the session of the device, as if the user had authorized the application there: a first-party one, which asks for no
 * consent. Throws invalid_request, invalid_target, invalid_grant, invalid_scope, access_denied, and unauthorized_client for an application
 * without a group.
 */
export const authorizeByDevice = async (
  unit: Unit<'Grant.LimitExceeded'>,
  request: GrantRequest,
): Promise<GrantAuthorization> => {
  const { client, parameters, confirmation } = request
  const group = groupOf(client)
  const value = required(parameters, 'subject_token')
  const secret = required(parameters, 'actor_token')
  assertParameters(request)
  const { userId, sessionId, applicationId } = await subjectOf(request, group, value, secret)
  request.note({ userId, nativeSsoGroup: group, fromApplicationId: applicationId })
  const asked = await askedFor(request)
  const { scopes, resources } = asked
  const organizationId = requestedOrganization(parameters)
  const target = await userTokenTarget(request, { resources, scopes, asked: scopes, organizationId, details: [] })
  const grantId = await grantIn(unit, { id: sessionId, userId }, client, scopes)
  const session = await sessionOfDevice(unit, { secret, sessionId, userId, group })
  if (!session) throw refuseSubject('the session has no such device secret')
  const { amr, authenticatedAt } = session
  const held = await heldNow(unit, userId, scopes, resources)
  const refreshToken = usesRefreshTokens(client, scopes)
    ? startFamily(unit, {
        grantId,
        scopes,
        resources,
        grantedScopeIds: held,
        claims: null,
        authorizationDetails: null,
        isManaged: false,
        nonce: null,
        amr,
        authenticatedAt,
        confirmation: refreshBinding(client, confirmation),
        lifetime: refreshLifetime(client),
      })
    : undefined
  const authorization = await authorizeUser(unit, request, {
    userId,
    grant: {
      id: grantId,
      sessionId: session.id,
      endsWithSession: endsWithSession(scopes),
      authenticatedAt,
      amr,
      nonce: null,
    },
    scopes,
    grantedScopeIds: held,
    consentedIds: null,
    target,
    details: [],
    refreshToken,
  })
  return {
    ...authorization,
    dropped: [...asked.dropped, ...authorization.dropped],
    issuedTokenType: ACCESS_TOKEN_TYPE,
    deviceSecret: secret,
    facts: { nativeSsoGroup: group, fromApplicationId: applicationId },
  }
}
