/** The endpoints of `{base_url}/api`, one flat list of what each resource binds. */

import type { LogTail } from '../domain/tenants/log-tail.ts'
import { apiEndpoint } from '../http/api.ts'
import type { Endpoint } from '../http/exchange.ts'
import { ofProtectedResource } from '../http/resource-metadata.ts'
import type { Store } from '../storage/store.ts'
import { accessControlHandlers } from './access-control.ts'
import { accountCenterHandlers } from './account-center.ts'
import { administratorHandlers, administratorRoleHandlers } from './administrators.ts'
import { applicationSignInExperienceHandlers } from './application-sign-in-experience.ts'
import { applicationHandlers } from './applications.ts'
import { authorizationDetailsHandlers } from './authorization-details.ts'
import { authorizeManagement } from './authorize.ts'
import { captchaProviderHandlers } from './captcha-provider.ts'
import { clientDocumentHandlers } from './client-documents.ts'
import { registrationHandlers } from './client-registration.ts'
import { connectorHandlers, type SendTestMessage } from './connectors.ts'
import { customPhraseHandlers } from './custom-phrases.ts'
import { customProfileFieldHandlers } from './custom-profile-fields.ts'
import { emailTemplateHandlers, type PreviewMail } from './email-templates.ts'
import { eventFeedHandlers } from './event-feed.ts'
import { type ExplainExchange, exchangeExplanationHandlers } from './exchange-explanations.ts'
import { type CheckOutside, healthHandlers } from './health.ts'
import { hookHandlers, type IsSecureEnough, type SendTestEvents } from './hooks.ts'
import { idTokenSettingsHandlers } from './id-token-settings.ts'
import { type Impersonate, impersonationHandlers } from './impersonations.ts'
import { jwtCustomizerHandlers } from './jwt-customizer.ts'
import { logHandlers } from './logs.ts'
import { metaHandlers, type Readiness } from './meta.ts'
import { oneTimeTokenHandlers } from './one-time-tokens.ts'
import { organizationConsentHandlers } from './organization-consents.ts'
import { organizationDomainHandlers } from './organization-domains.ts'
import { organizationInvitationHandlers } from './organization-invitations.ts'
import { organizationJitHandlers } from './organization-jit.ts'
import { organizationMemberHandlers } from './organization-members.ts'
import { organizationTemplateHandlers } from './organization-template.ts'
import { organizationHandlers } from './organizations.ts'
import { type PreviewPage, pagePreviewHandlers } from './page-preview.ts'
import { personalAccessTokenHandlers } from './personal-access-tokens.ts'
import { providerCheckHandlers } from './provider-checks.ts'
import { providerTokenHandlers } from './provider-tokens.ts'
import { resourceHandlers } from './resources.ts'
import { roleOriginHandlers } from './role-origins.ts'
import { roleHandlers } from './roles.ts'
import { samlApplicationHandlers } from './saml-applications.ts'
import { scimDirectoryHandlers } from './scim-directories.ts'
import { securitySettingsHandlers } from './security-settings.ts'
import { sentinelActivityHandlers } from './sentinel-activities.ts'
import { signInExperienceHandlers } from './sign-in-experience.ts'
import { signalStreamHandlers } from './signal-streams.ts'
import { signingKeyHandlers } from './signing-keys.ts'
import { ssoConnectorHandlers } from './sso-connectors.ts'
import { ssoIdpInitiatedHandlers } from './sso-idp-initiated.ts'
import { ssoSigningKeyHandlers } from './sso-signing-keys.ts'
import { subjectTokenHandlers } from './subject-tokens.ts'
import { subjectHandlers } from './subjects.ts'
import { type TenantFile, tenantFileHandlers } from './tenant-file.ts'
import { type PreviewTextMessage, textMessageHandlers } from './text-messages.ts'
import { type SimulateToken, tokenSimulationHandlers } from './token-simulation.ts'
import { userAssetHandlers } from './user-assets.ts'
import { userConsentScopeHandlers } from './user-consent-scopes.ts'
import { userExportHandlers } from './user-exports.ts'
import { userFactorHandlers } from './user-factors.ts'
import { userIdentityHandlers } from './user-identities.ts'
import { userImportHandlers } from './user-imports.ts'
import { userSessionHandlers } from './user-sessions.ts'
import { userSsoIdentityHandlers } from './user-sso-identities.ts'
import { userHandlers } from './users.ts'
import { verificationCodeHandlers } from './verification-codes.ts'
import { versionedBy } from './versions.ts'

export const managementEndpoints = (
  store: Store,
  readiness: Readiness,
  sendTestMessage: SendTestMessage,
  previewMail: PreviewMail,
  previewTextMessage: PreviewTextMessage,
  sendTestEvents: SendTestEvents,
  isSecureEnough: IsSecureEnough,
  simulateToken: SimulateToken,
  explainExchange: ExplainExchange,
  impersonate: Impersonate,
  previewPage: PreviewPage,
  tenantFile: TenantFile,
  logTail: LogTail,
  checkOutside: CheckOutside,
): Endpoint[] => {
  const bound = [
    ...metaHandlers(readiness),
    ...resourceHandlers,
    ...authorizationDetailsHandlers,
    ...userHandlers,
    ...userImportHandlers,
    ...userExportHandlers,
    ...roleOriginHandlers,
    ...userSessionHandlers,
    ...userFactorHandlers,
    ...userIdentityHandlers,
    ...userSsoIdentityHandlers,
    ...providerTokenHandlers,
    ...personalAccessTokenHandlers,
    ...subjectTokenHandlers,
    ...impersonationHandlers(impersonate),
    ...roleHandlers,
    ...applicationHandlers,
    ...samlApplicationHandlers,
    ...userConsentScopeHandlers,
    ...subjectHandlers,
    ...signalStreamHandlers,
    ...accessControlHandlers,
    ...applicationSignInExperienceHandlers,
    ...organizationConsentHandlers,
    ...organizationHandlers,
    ...organizationMemberHandlers,
    ...organizationDomainHandlers,
    ...organizationJitHandlers,
    ...organizationInvitationHandlers,
    ...organizationTemplateHandlers,
    ...scimDirectoryHandlers,
    ...signInExperienceHandlers,
    ...pagePreviewHandlers(previewPage),
    ...accountCenterHandlers,
    ...customProfileFieldHandlers,
    ...captchaProviderHandlers,
    ...sentinelActivityHandlers,
    ...connectorHandlers(sendTestMessage),
    ...ssoConnectorHandlers,
    ...providerCheckHandlers,
    ...ssoIdpInitiatedHandlers,
    ...ssoSigningKeyHandlers,
    ...emailTemplateHandlers(previewMail),
    ...textMessageHandlers(previewTextMessage),
    ...customPhraseHandlers,
    ...userAssetHandlers,
    ...verificationCodeHandlers,
    ...oneTimeTokenHandlers,
    ...jwtCustomizerHandlers(simulateToken),
    ...securitySettingsHandlers,
    ...registrationHandlers,
    ...clientDocumentHandlers,
    ...idTokenSettingsHandlers,
    ...signingKeyHandlers,
    ...tenantFileHandlers(tenantFile),
    ...healthHandlers(checkOutside),
    ...logHandlers(logTail),
    ...eventFeedHandlers,
    ...hookHandlers(sendTestEvents, isSecureEnough),
    ...tokenSimulationHandlers(simulateToken),
    ...exchangeExplanationHandlers(explainExchange),
    ...administratorHandlers,
    ...administratorRoleHandlers,
  ]
  const authorize = authorizeManagement(store)
  return bound
    .map((each) => apiEndpoint(store, each, authorize, versionedBy(each.route, bound)))
    .map((endpoint) => ({ ...ofProtectedResource('/api')(endpoint), part: 'api' }))
}
