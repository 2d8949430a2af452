/** The grant of backchannel authentication: OpenID CIBA sections 10.1 and 11, DECISIONS F27. */
import { narrowedDetails, storedDetails } from '../../domain/access/authorization-details.ts'
import { isLockedOut } from '../../domain/credentials/lockout.ts'
import {
  type BackchannelPoll,
  consumeBackchannelRequest,
  recordBackchannelPoll,
} from '../../domain/issued/backchannel-requests.ts'
import { startFamily } from '../../domain/issued/refresh-families.ts'
import { endsWithSession } from '../../domain/sessions/session-of-grant.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import { opaqueHash } from '../../kernel/opaque.ts'
import { Refusal } from '../../storage/unit-of-work.ts'
import { refuseBackchannel } from '../backchannel-client.ts'
import { single } from '../endpoint.ts'
import { requestedOrganization } from '../organization-token.ts'
import { userTokenTarget } from '../user-token-target.ts'
import type { RedeemingGrant } from './grant.ts'
import { refreshBinding, refreshLifetime, usesRefreshTokens } from './refresh-policy.ts'
import { authorizeUser } from './user-authorization.ts'

const refuse = (reason: string) =>
  new OAuthError('invalid_grant', 'the auth_req_id is not valid for this request', { reason })

/** The error for an application that cannot have tokens now (section 11). */
const answerTo = (outcome: BackchannelPoll): OAuthError => {
  switch (outcome) {
    case 'pending':
      return new OAuthError('authorization_pending', 'the user has not answered yet')
    case 'too-soon':
      return new OAuthError(
        'slow_down',
        'the application polls too often; it must wait five seconds longer from now on',
      )
    case 'denied':
      return new OAuthError('access_denied', 'the user did not agree')
    case 'expired':
      return new OAuthError('expired_token', 'the auth_req_id has expired')
    case 'unknown':
      return refuse('there is no such request of this client, or it was used before')
  }
}

export const ciba: RedeemingGrant = {
  type: 'urn:openid:params:grant-type:ciba',
  auditKey: 'ExchangeTokenBy.BackchannelAuthentication',
  parameters: ['auth_req_id', 'resource', 'authorization_details', 'organization_id'],
  refuseClient: refuseBackchannel,
  contended: (parameters) => single(parameters, 'auth_req_id'),
  async redeem(unit, request) {
    const { client, parameters, confirmation } = request
    const value = single(parameters, 'auth_req_id')
    if (value === undefined) throw new OAuthError('invalid_request', 'the parameter auth_req_id is missing')
    const organizationId = requestedOrganization(parameters)
    const hash = opaqueHash('backchannelRequest', value)
    if (!hash) throw refuse('it is not an auth_req_id')
    const redeemed = await consumeBackchannelRequest(unit, hash, client.id)
    // the time of a poll is recorded, whatever the response
    if (!redeemed) throw new Refusal(answerTo(await recordBackchannelPoll(unit, hash, client.id)))
    const { grant_id: grantId, user_id: userId, scopes, resources, amr, authenticated_at: authenticatedAt } = redeemed
    // the request is consumed all the same
    if (redeemed.is_suspended) throw new Refusal(refuse('the user is suspended'))
    // by the account alone: its sign-in has passed the locks of identifiers (SECURITY R-28)
    if (await isLockedOut(unit, { userId, identifiers: [] })) throw new Refusal(refuse('the user is locked out'))
    const details = narrowedDetails(
      storedDetails(redeemed.authorization_details),
      single(parameters, 'authorization_details'),
    )
    const target = await userTokenTarget(request, { resources, scopes, asked: scopes, organizationId, details })
    const refreshToken = usesRefreshTokens(client, scopes)
      ? startFamily(unit, {
          grantId,
          scopes,
          resources,
          grantedScopeIds: redeemed.granted_scope_ids,
          claims: null,
          authorizationDetails: redeemed.authorization_details,
          isManaged: false,
          nonce: null,
          amr,
          authenticatedAt,
          confirmation: refreshBinding(client, confirmation),
          lifetime: refreshLifetime(client),
        })
      : undefined
    return authorizeUser(unit, request, {
      userId,
      grant: {
        id: grantId,
        sessionId: redeemed.session_id,
        endsWithSession: endsWithSession(scopes),
        authenticatedAt,
        amr,
        nonce: null,
      },
      scopes,
      grantedScopeIds: redeemed.granted_scope_ids,
      consentedIds: redeemed.consented_ids,
      target,
      details,
      refreshToken,
    })
  },
}
