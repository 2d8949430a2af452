/** Sign-in with an account at a provider elsewhere, in the Experience API (DECISIONS P). */
import Type from 'typebox'
import { bound, VerificationId, Verified } from './experience-steps.ts'
import { ConnectorData, ofConnector, returnErrors, VisitFields, VisitScope, visitErrors } from './provider-visits.ts'
import { routes } from './route.ts'

export const experienceSocialRoutes = routes({
  beginSocial: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/social/:connectorId/authorization-uri',
    summary: 'Begin a sign-in at a social provider',
    description:
      'Send the browser to `authorizationUri`. The provider sends it back to `redirectUri`, which has to be registered with it and whose path ends in the id of the connector; `/callback/:connectorId` is the hosted page. An interaction has one sign-in at a provider under way, the newest, for 15 minutes.',
    ...ofConnector,
    body: Type.Object({ ...VisitFields, scope: VisitScope }),
    status: 200,
    response: Type.Object({ authorizationUri: Type.String(), verificationId: VerificationId }),
    errors: visitErrors,
  },
  verifySocial: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/social/:connectorId/verify',
    summary: 'Verify what a user came back with from a social provider',
    description:
      'Is good once for each request. Then identify the user with it: 404 `user.identity_not_exist` means that no user has the social account; register with it, or identify the user otherwise and add it by `POST /experience/profile`. Where both sides have verified the same address, `relatedUser` hints at its user, and `linkSocialIdentity` joins the two.',
    ...ofConnector,
    body: Type.Object({
      connectorData: ConnectorData(
        'All parameters with which the browser came back, such as `code`, `state` and `iss`. From Google One Tap: `credential` and `g_csrf_token`, which has to be the cookie of that name; nothing has to be begun before, and a credential is good once',
      ),
      verificationId: Type.Optional(VerificationId),
    }),
    status: 200,
    response: Verified,
    errors: [...returnErrors, 'session.csrf_token_mismatch'],
  },
})
