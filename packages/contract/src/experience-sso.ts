/** Sign-in at the identity provider of a company, in the Experience API (DECISIONS P2, P6). */
import Type from 'typebox'
import { bound, VerificationId, Verified } from './experience-steps.ts'
import { ConnectorData, ofConnector, returnErrors, VisitFields, visitErrors } from './provider-visits.ts'
import { routes } from './route.ts'

export const experienceSsoRoutes = routes({
  findSsoConnectors: {
    ...bound,
    method: 'GET',
    path: '/experience/sso-connectors',
    summary: 'Find the SSO connectors that an email address leads to',
    description:
      'Where there are some, its user signs in there: passwords and codes are refused with 422 `session.sso_enabled`. Of several the user chooses one; their names are in `GET /.well-known/sign-in-exp`.',
    query: Type.Object({ email: Type.String({ minLength: 1, maxLength: 256 }) }),
    status: 200,
    response: Type.Object({ connectorIds: Type.Array(Type.String()) }),
  },
  beginSso: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/sso/:connectorId/authorization-uri',
    summary: 'Begin a sign-in at the identity provider of a company',
    description:
      'Send the browser to `authorizationUri`. The provider sends it back to `redirectUri`, which has to be registered with it and whose path ends in the id of the connector; `/callback/:connectorId` is the hosted page. For SAML it has to be at the origin of this server. An interaction has one sign-in at a provider under way, the newest, for 15 minutes.',
    ...ofConnector,
    body: Type.Object(VisitFields),
    status: 200,
    response: Type.Object({ authorizationUri: Type.String(), verificationId: VerificationId }),
    errors: visitErrors,
  },
  verifySso: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/sso/:connectorId/verify',
    summary: 'Verify what a user came back with from the identity provider of a company',
    description:
      'Is good once for each request. Then identify the user with it: 404 `user.identity_not_exist` means that they are new; switch to `Register` and identify them again, which is possible even where registration is off. A user with the same address, verified, at a domain of the connector is signed in; 422 `user.email_already_in_use` means that a user has the address and must not be taken for the same person. The connector of an organization signs in its members only, and brings no users without an address at one of its domains: 422 `organization.require_membership`.',
    ...ofConnector,
    body: Type.Object({ connectorData: ConnectorData(), verificationId: Type.Optional(VerificationId) }),
    status: 200,
    response: Verified,
    errors: returnErrors,
  },
})
