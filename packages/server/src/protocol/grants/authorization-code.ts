/** The authorization code grant: RFC 6749 section 4.1.3, RFC 7636, SPEC 4.2. */

import { narrowedDetails, storedDetails } from '../../domain/access/authorization-details.ts'
import type { Client } from '../../domain/applications/clients.ts'
import {
  consumeCode,
  noteIssued,
  type RedeemedCode,
  revokeReusedCode,
  userOfCode,
} from '../../domain/issued/authorization-codes.ts'
import type { Confirmation } from '../../domain/issued/confirmation.ts'
import { deviceSecretFor, ssoGroupOf } from '../../domain/issued/device-secrets.ts'
import { startFamily } from '../../domain/issued/refresh-families.ts'
import { DEVICE_SSO_SCOPE } from '../../domain/permissions/oidc-scopes.ts'
import { endsWithSession } from '../../domain/sessions/session-of-grant.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import { Refusal, type Unit } from '../../storage/unit-of-work.ts'
import { newTokenId } from '../../tokens/token-id.ts'
import { single } from '../endpoint.ts'
import { audienceOf, requestedOrganization } from '../organization-token.ts'
import { refuseVerifier } from '../pkce.ts'
import { refuseHolder } from '../sender-constraint.ts'
import { possibleResource, userTokenTarget } from '../user-token-target.ts'
import type { RedeemingGrant } from './grant.ts'
import { beginReading } from './holder-reading.ts'
import { refreshBinding, refreshLifetime, usesRefreshTokens } from './refresh-policy.ts'
import { authorizeUser } from './user-authorization.ts'

/** One error for anything wrong with a code; the reason is for the log. */
const refuse = (reason: string) => new OAuthError('invalid_grant', 'the code is not valid for this request', { reason })

/** Why a code that was just consumed may not be redeemed by this request, or undefined. */
const objection = (
  code: RedeemedCode,
  redirectUri: string,
  verifier: string | undefined,
  confirmation: Confirmation | undefined,
): string | undefined => {
  if (code.redirect_uri !== redirectUri) return 'redirect_uri is not that of the authorization request'
  if (code.user.is_suspended) return 'the user is suspended'
  const unproved = refuseHolder(code, confirmation)
  if (unproved !== undefined) return unproved
  return refuseVerifier(code.code_challenge, verifier)
}

/**
 * A code that cannot be consumed may have been used before: then everything issued from it is revoked, and that
 * commits.
 */
const refuseSpent = async (unit: Unit, code: string, client: Client): Promise<never> => {
  const reused = await revokeReusedCode(unit, code, client.id)
  if (reused) throw new Refusal(refuse('the code was used before; everything issued from it is revoked'))
  throw refuse('this client has no such code, or it has expired')
}

/** The secret of the device, if the authorization is to be shared with other applications there (Native SSO section 3.4). */
const deviceSecretOf = async (
  unit: Unit,
  client: Client,
  { scopes, session_id: sessionId }: RedeemedCode,
  held: string | undefined,
): Promise<string | undefined> => {
  const group = scopes.includes(DEVICE_SSO_SCOPE) ? ssoGroupOf(client) : undefined
  return group === undefined || sessionId === null ? undefined : deviceSecretFor(unit, sessionId, group, held)
}

export const authorizationCode: RedeemingGrant = {
  type: 'authorization_code',
  auditKey: 'ExchangeTokenBy.AuthorizationCode',
  parameters: [
    ...['code', 'redirect_uri', 'code_verifier', 'resource', 'authorization_details', 'organization_id'],
    'device_secret',
  ],
  refuseClient: ({ type, metadata }) =>
    type === 'MachineToMachine' || metadata.isDeviceFlow
      ? 'the application does not use the authorization code flow'
      : undefined,
  contended: (parameters) => single(parameters, 'code'),
  async redeem(unit, request) {
    const { client, parameters, confirmation } = request
    const value = single(parameters, 'code')
    const redirectUri = single(parameters, 'redirect_uri')
    if (value === undefined) throw new OAuthError('invalid_request', 'the parameter code is missing')
    if (redirectUri === undefined) throw new OAuthError('invalid_request', 'the parameter redirect_uri is missing')
    const organizationId = requestedOrganization(parameters)
    const resource = await possibleResource(request)
    // sent together, in this order: the user is read as of after the code was consumed
    const consuming = consumeCode(unit, value, client.id)
    const holderOf = beginReading(unit, userOfCode(value), { client, resourceId: resource?.id, organizationId })
    const code = (await consuming) ?? (await refuseSpent(unit, value, client))
    const reason = objection(code, redirectUri, single(parameters, 'code_verifier'), confirmation)
    // the code is consumed all the same: a guess gets one attempt
    if (reason !== undefined) throw new Refusal(refuse(reason))
    const { grant_id: grantId, scopes, resources, claims, nonce, amr, authenticated_at: authenticatedAt } = code
    const details = narrowedDetails(
      storedDetails(code.authorization_details),
      single(parameters, 'authorization_details'),
    )
    const target = await userTokenTarget(request, { resources, scopes, asked: scopes, organizationId, details })
    const audience = target.resource ?? (organizationId === undefined ? undefined : audienceOf(organizationId))
    const grant = {
      id: grantId,
      sessionId: code.session_id,
      endsWithSession: endsWithSession(scopes),
      authenticatedAt,
      amr,
      nonce,
      claims,
      isManaged: code.is_managed,
      ...(code.is_step_up ? { stepUpAt: authenticatedAt } : {}),
    }
    const jti = newTokenId(grant)
    if (audience) noteIssued(unit, code, jti, secondsAfter(unit.now, audience.accessTokenTtl))
    const refreshToken = usesRefreshTokens(client, scopes)
      ? startFamily(unit, {
          grantId,
          scopes,
          resources,
          grantedScopeIds: code.granted_scope_ids,
          claims,
          authorizationDetails: code.authorization_details,
          isManaged: code.is_managed,
          nonce,
          amr,
          authenticatedAt,
          confirmation: refreshBinding(client, confirmation),
          lifetime: refreshLifetime(client),
        })
      : undefined
    const authorization = await authorizeUser(unit, request, {
      userId: code.user_id,
      holder: holderOf({ user: code.user, scopes, claims, target }),
      grant,
      scopes,
      grantedScopeIds: code.granted_scope_ids,
      consentedIds: code.consented_ids,
      target,
      details,
      refreshToken,
    })
    const deviceSecret = await deviceSecretOf(unit, client, code, single(parameters, 'device_secret'))
    return { ...authorization, jti, ...(deviceSecret === undefined ? {} : { deviceSecret }) }
  },
}
