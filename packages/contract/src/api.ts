/** The routes of the three APIs. A new resource adds one line here and one in the server's registry. */
import { accessControlRoutes } from './access-control.ts'
import { accountRoutes } from './account.ts'
import { accountBelongingRoutes } from './account-belongings.ts'
import { accountCenterRoutes } from './account-center.ts'
import { accountCredentialRoutes } from './account-credentials.ts'
import { accountFactorVerificationRoutes } from './account-factor-verifications.ts'
import { accountFactorRoutes } from './account-factors.ts'
import { accountIdentityRoutes } from './account-identities.ts'
import { accountOrganizationSsoRoutes } from './account-organization-sso.ts'
import { accountSessionRoutes } from './account-sessions.ts'
import { accountVerificationRoutes } from './account-verifications.ts'
import { administratorRoleRoutes, administratorRoutes } from './administrators.ts'
import { applicationSignInExperienceRoutes } from './application-sign-in-experience.ts'
import { applicationRoutes } from './applications.ts'
import { authorizationDetailsRoutes } from './authorization-details.ts'
import { captchaProviderRoutes } from './captcha-provider.ts'
import { clientDocumentRoutes } from './client-documents.ts'
import { registrationRoutes } from './client-registration.ts'
import { connectorRoutes } from './connectors.ts'
import { customPhraseRoutes } from './custom-phrases.ts'
import { customProfileFieldRoutes } from './custom-profile-fields.ts'
import { emailTemplateRoutes } from './email-templates.ts'
import { eventFeedRoutes } from './event-feed.ts'
import { exchangeExplanationRoutes } from './exchange-explanations.ts'
import { experienceRoutes } from './experience.ts'
import { experienceFactorRoutes } from './experience-factors.ts'
import { experienceSocialRoutes } from './experience-social.ts'
import { experienceSsoRoutes } from './experience-sso.ts'
import { experienceUploadRoutes } from './experience-uploads.ts'
import { healthRoutes } from './health.ts'
import { hookRoutes } from './hooks.ts'
import { idTokenSettingsRoutes } from './id-token-settings.ts'
import { impersonationRoutes } from './impersonations.ts'
import { jwtCustomizerRoutes } from './jwt-customizer.ts'
import { logRoutes } from './logs.ts'
import { metaRoutes } from './meta.ts'
import { oneTimeTokenRoutes } from './one-time-tokens.ts'
import { organizationConsentRoutes } from './organization-consents.ts'
import { organizationDomainRoutes } from './organization-domains.ts'
import { organizationInvitationRoutes } from './organization-invitations.ts'
import { organizationJitRoutes } from './organization-jit.ts'
import { organizationApplicationRoutes, organizationUserRoutes } from './organization-members.ts'
import { organizationRoleRoutes, organizationScopeRoutes } from './organization-template.ts'
import { organizationRoutes } from './organizations.ts'
import { pagePreviewRoutes } from './page-preview.ts'
import { personalAccessTokenRoutes } from './personal-access-tokens.ts'
import { providerCheckRoutes } from './provider-checks.ts'
import { providerTokenRoutes } from './provider-tokens.ts'
import { resourceRoutes } from './resources.ts'
import { roleOriginRoutes } from './role-origins.ts'
import { roleRoutes } from './roles.ts'
import type { Route } from './route.ts'
import { samlApplicationRoutes } from './saml-applications.ts'
import { scimDirectoryRoutes } from './scim-directories.ts'
import { securitySettingsRoutes } from './security-settings.ts'
import { sentinelActivityRoutes } from './sentinel-activities.ts'
import { signInExperienceRoutes } from './sign-in-experience.ts'
import { signalStreamRoutes } from './signal-streams.ts'
import { signingKeyRoutes } from './signing-keys.ts'
import { ssoConnectorRoutes } from './sso-connectors.ts'
import { ssoIdpInitiatedRoutes } from './sso-idp-initiated.ts'
import { ssoSigningKeyRoutes } from './sso-signing-keys.ts'
import { subjectRoutes } from './subject-settings.ts'
import { subjectTokenRoutes } from './subject-tokens.ts'
import { tenantFileRoutes } from './tenant-file.ts'
import { textMessageRoutes } from './text-messages.ts'
import { tokenSimulationRoutes } from './token-simulation.ts'
import { userAssetRoutes } from './user-assets.ts'
import { userConsentScopeRoutes } from './user-consent-scopes.ts'
import { userExportRoutes } from './user-exports.ts'
import { userFactorRoutes } from './user-factors.ts'
import { userIdentityRoutes } from './user-identities.ts'
import { userImportRoutes } from './user-imports.ts'
import { userSessionRoutes } from './user-sessions.ts'
import { userSsoIdentityRoutes } from './user-sso-identities.ts'
import { userRoutes } from './users.ts'
import { verificationCodeRoutes } from './verification-codes.ts'

const TABLES = [
  metaRoutes,
  resourceRoutes,
  authorizationDetailsRoutes,
  userRoutes,
  userImportRoutes,
  userExportRoutes,
  roleOriginRoutes,
  userSessionRoutes,
  userFactorRoutes,
  userIdentityRoutes,
  userSsoIdentityRoutes,
  providerTokenRoutes,
  personalAccessTokenRoutes,
  subjectTokenRoutes,
  impersonationRoutes,
  roleRoutes,
  applicationRoutes,
  samlApplicationRoutes,
  userConsentScopeRoutes,
  subjectRoutes,
  signalStreamRoutes,
  accessControlRoutes,
  applicationSignInExperienceRoutes,
  organizationConsentRoutes,
  organizationRoutes,
  organizationUserRoutes,
  organizationApplicationRoutes,
  organizationDomainRoutes,
  organizationJitRoutes,
  organizationInvitationRoutes,
  organizationRoleRoutes,
  organizationScopeRoutes,
  scimDirectoryRoutes,
  signInExperienceRoutes,
  pagePreviewRoutes,
  accountCenterRoutes,
  customProfileFieldRoutes,
  captchaProviderRoutes,
  sentinelActivityRoutes,
  verificationCodeRoutes,
  oneTimeTokenRoutes,
  connectorRoutes,
  ssoConnectorRoutes,
  providerCheckRoutes,
  ssoIdpInitiatedRoutes,
  ssoSigningKeyRoutes,
  emailTemplateRoutes,
  textMessageRoutes,
  customPhraseRoutes,
  userAssetRoutes,
  jwtCustomizerRoutes,
  securitySettingsRoutes,
  registrationRoutes,
  clientDocumentRoutes,
  idTokenSettingsRoutes,
  signingKeyRoutes,
  tenantFileRoutes,
  healthRoutes,
  logRoutes,
  eventFeedRoutes,
  hookRoutes,
  tokenSimulationRoutes,
  exchangeExplanationRoutes,
  administratorRoutes,
  administratorRoleRoutes,
] as const

/** Gathered in a parameter, so that the recursion is a tail call: others end at fifty tables. */
type Merged<T extends readonly unknown[], Before = unknown> = T extends readonly [infer First, ...infer Rest]
  ? Merged<Rest, Before & First>
  : Before

/** The same as a type: each route by its id. */
export type ApiRoutes = Merged<typeof TABLES>

/** Every route of the Management API. */
export const API_ROUTES: readonly Route[] = TABLES.flatMap((table): readonly Route[] => Object.values(table))

/** Every route of the Experience API, which needs no token. */
export const EXPERIENCE_ROUTES: readonly Route[] = [
  experienceRoutes,
  experienceFactorRoutes,
  experienceUploadRoutes,
  experienceSocialRoutes,
  experienceSsoRoutes,
].flatMap((table): readonly Route[] => Object.values(table))

/** Every route of the Account API, whose tokens are those of users. */
export const ACCOUNT_ROUTES: readonly Route[] = [
  accountRoutes,
  accountCredentialRoutes,
  accountIdentityRoutes,
  accountFactorRoutes,
  accountSessionRoutes,
  accountBelongingRoutes,
  accountOrganizationSsoRoutes,
  accountVerificationRoutes,
  accountFactorVerificationRoutes,
].flatMap((table): readonly Route[] => Object.values(table))
