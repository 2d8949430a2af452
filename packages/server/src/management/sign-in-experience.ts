/** `/sign-in-exp`: the sign-in settings, and what of them anyone may read. */
import { signInExperienceRoutes } from '@countersign/contract/sign-in-experience.ts'
import { findClient } from '../domain/applications/clients.ts'
import { findPasswordIssues } from '../domain/credentials/password-policy.ts'
import { shownSsoConnectors } from '../domain/federation/enterprise/connectors.ts'
import { overTenant } from '../domain/sign-in/application-look.ts'
import { publicCaptcha } from '../domain/sign-in/captcha.ts'
import { type SignInSettings, signInExperience } from '../domain/sign-in/experience.ts'
import { offeredOneTap } from '../domain/sign-in/one-tap.ts'
import { organizationLook } from '../domain/sign-in/organization-look.ts'
import { passwordChecked, updateSignInExperience } from '../domain/sign-in/settings.ts'
import { caseConflicts } from '../domain/users/name-rule.ts'
import { getUser } from '../domain/users/rows.ts'
import { bind } from '../http/api.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { shownField } from './custom-profile-fields.ts'

/** Features that do not exist yet, as other tools know them when they are off. */
const OFF = {
  customContent: {},
  customUiAssets: null,
  customUiCsp: {},
}

const toSettings = ({ id: tenantId }: Tenant, settings: SignInSettings) => {
  const { signIn, signUp, signUpProfileFields, passwordPolicy, forgotPasswordMethods, mfa, ownerNotices, ...others } =
    settings
  const { socialSignIn, socialSignInConnectorTargets, singleSignOnExemptUserIds, ...rest } = others
  const { secondaryIdentifiers, ...first } = signUp
  return {
    tenantId,
    id: 'default',
    ...OFF,
    ...rest,
    socialSignIn: { ...socialSignIn },
    socialSignInConnectorTargets: [...socialSignInConnectorTargets],
    singleSignOnExemptUserIds: [...singleSignOnExemptUserIds],
    signIn: { methods: [...signIn.methods] },
    signUp: {
      ...first,
      identifiers: [...signUp.identifiers],
      ...(secondaryIdentifiers ? { secondaryIdentifiers: [...secondaryIdentifiers] } : {}),
    },
    passwordPolicy: {
      ...passwordPolicy,
      rejects: { ...passwordPolicy.rejects, words: [...passwordPolicy.rejects.words] },
    },
    signUpProfileFields: signUpProfileFields && [...signUpProfileFields],
    mfa: { ...mfa, factors: [...mfa.factors] },
    ownerNotices: { ...ownerNotices, kinds: [...ownerNotices.kinds] },
    forgotPasswordMethods: forgotPasswordMethods && [...forgotPasswordMethods],
  }
}

export const signInExperienceHandlers = bind(signInExperienceRoutes, {
  async getSignInExperience(_input, { store, tenant }) {
    return toSettings(tenant, await signInExperience(store, tenant))
  },
  async updateSignInExperience({ body }, { tenant, perform }) {
    return toSettings(tenant, await perform(updateSignInExperience, body))
  },
  async getCaseConflicts({ query }, { store, tenant }) {
    const { total, conflicts } = await caseConflicts(store.database.kysely, tenant.id, query.limit ?? 20)
    return {
      totalConflicts: total,
      samples: conflicts.map(({ name, userIds }) => ({ usernameLower: name, userIds: [...userIds] })),
    }
  },
  async checkPassword({ body }, { store, tenant, perform, reply }) {
    const { passwordPolicy } = await signInExperience(store, tenant)
    const user = body.userId === undefined ? undefined : await getUser(store, tenant, body.userId)
    const info = user ? [user.username, user.primary_email, user.primary_phone, user.name] : []
    const issues = await findPasswordIssues(store, body.password, passwordPolicy, info)
    if (issues.length > 0) reply.useOtherStatus()
    await perform(passwordChecked)
    return issues.length === 0
      ? { result: true }
      : {
          result: false,
          issues: issues.map(({ code, interpolation }) => ({
            code,
            ...(interpolation ? { interpolation: { ...interpolation } } : {}),
          })),
        }
  },
  async getPublicSignInExperience({ query }, { store, tenant }) {
    const experience = await signInExperience(store, tenant)
    const application = query.appId === undefined ? undefined : await findClient(store, tenant, query.appId)
    const organization = await organizationLook(store, tenant, query.organizationId)
    const { color, branding, customCss } = overTenant(experience, application, organization)
    const googleOneTap = await offeredOneTap({ store, tenant }, experience)
    const captcha = experience.captchaPolicy.enabled ? await publicCaptcha({ store, tenant }) : undefined
    const {
      restrictExchangeToSubjectScope: _ofTokens,
      emailBlocklistPolicy: _ofOperators,
      singleSignOnExemptUserIds: _exempt,
      ...settings
    } = toSettings(tenant, experience)
    return {
      ...settings,
      color: { ...color },
      branding: { ...branding },
      customCss,
      forgotPassword: {
        email: experience.resetIdentifiers.includes('email'),
        phone: experience.resetIdentifiers.includes('phone'),
      },
      ...(captcha ? { captchaConfig: captcha } : {}),
      ...(googleOneTap ? { googleOneTap } : {}),
      customProfileFields: experience.signUpFields.map((field) => shownField(tenant, field)),
      socialConnectors: experience.socialConnectors.map(({ name, ...connector }) => ({
        ...connector,
        name: { ...name },
      })),
      ssoConnectors: experience.hasSso ? (await shownSsoConnectors(store, tenant)).map((each) => ({ ...each })) : [],
      isDevelopmentTenant: false,
    }
  },
})
