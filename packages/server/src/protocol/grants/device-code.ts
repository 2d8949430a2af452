/** The device code grant: RFC 8628 sections 3.4 and 3.5, DECISIONS F8. */
import { narrowedDetails, storedDetails } from '../../domain/access/authorization-details.ts'
import { consumeDeviceCode, type PollOutcome, recordPoll } from '../../domain/issued/device-codes.ts'
import { startFamily } from '../../domain/issued/refresh-families.ts'
import { endsWithSession } from '../../domain/sessions/session-of-grant.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import { opaqueHash } from '../../kernel/opaque.ts'
import { Refusal } from '../../storage/unit-of-work.ts'
import { single } from '../endpoint.ts'
import { requestedOrganization } from '../organization-token.ts'
import { userTokenTarget } from '../user-token-target.ts'
import type { RedeemingGrant } from './grant.ts'
import { refreshBinding, refreshLifetime, usesRefreshTokens } from './refresh-policy.ts'
import { authorizeUser } from './user-authorization.ts'

const refuse = (reason: string) =>
  new OAuthError('invalid_grant', 'the device code is not valid for this request', { reason })

/** The error for a device that cannot have tokens now (section 3.5). */
const answerTo = (outcome: PollOutcome): OAuthError => {
  switch (outcome) {
    case 'pending':
      return new OAuthError('authorization_pending', 'the user has not answered yet')
    case 'too-soon':
      return new OAuthError('slow_down', 'the device polls too often; it must wait five seconds longer from now on')
    case 'denied':
      return new OAuthError('access_denied', 'the user did not agree')
    case 'expired':
      return new OAuthError('expired_token', 'the device code has expired')
    case 'unknown':
      return refuse('there is no such code for this client, or it was used before')
  }
}

export const deviceCode: RedeemingGrant = {
  type: 'urn:ietf:params:oauth:grant-type:device_code',
  auditKey: 'ExchangeTokenBy.DeviceCode',
  parameters: ['device_code', 'resource', 'authorization_details', 'organization_id'],
  refuseClient: ({ metadata }) => (metadata.isDeviceFlow ? undefined : 'the application does not use the device flow'),
  contended: (parameters) => single(parameters, 'device_code'),
  async redeem(unit, request) {
    const { client, parameters, confirmation } = request
    const value = single(parameters, 'device_code')
    if (value === undefined) throw new OAuthError('invalid_request', 'the parameter device_code is missing')
    const organizationId = requestedOrganization(parameters)
    const hash = opaqueHash('deviceCode', value)
    if (!hash) throw refuse('it is not a device code')
    const code = await consumeDeviceCode(unit, hash, client.id)
    // the time of a poll is recorded, whatever the response
    if (!code) throw new Refusal(answerTo(await recordPoll(unit, hash, client.id)))
    // the code is consumed all the same
    if (code.is_suspended) throw new Refusal(refuse('the user is suspended'))
    const { grant_id: grantId, scopes, resources, amr, authenticated_at: authenticatedAt } = code
    const details = narrowedDetails(
      storedDetails(code.authorization_details),
      single(parameters, 'authorization_details'),
    )
    const target = await userTokenTarget(request, { resources, scopes, asked: scopes, organizationId, details })
    const refreshToken = usesRefreshTokens(client, scopes)
      ? startFamily(unit, {
          grantId,
          scopes,
          resources,
          grantedScopeIds: code.granted_scope_ids,
          claims: null,
          authorizationDetails: code.authorization_details,
          isManaged: false,
          nonce: null,
          amr,
          authenticatedAt,
          confirmation: refreshBinding(client, confirmation),
          lifetime: refreshLifetime(client),
        })
      : undefined
    const grant = {
      id: grantId,
      sessionId: code.session_id,
      endsWithSession: endsWithSession(scopes),
      authenticatedAt,
      amr,
      nonce: null,
    }
    return authorizeUser(unit, request, {
      userId: code.user_id,
      grant,
      scopes,
      grantedScopeIds: code.granted_scope_ids,
      consentedIds: code.consented_ids,
      target,
      details,
      refreshToken,
    })
  },
}
