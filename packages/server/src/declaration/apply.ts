/** Applies a declaration: everything in one transaction, so that a run that fails leaves nothing half done. */
import type { Declaration } from '@countersign/contract/declaration.ts'
import { type Operation, operation, type Unit } from '../storage/unit-of-work.ts'
import { applyAccountCenter } from './account-center.ts'
import { applyAdministratorRoles } from './administrator-roles.ts'
import { applyApplicationAccess } from './application-access.ts'
import { applyApplications } from './applications.ts'
import { applyCaptchaProvider } from './captcha-provider.ts'
import { applyClientDocuments } from './client-documents.ts'
import { applyClientRegistration } from './client-registration.ts'
import { applyCustomPhrases, pruneCustomPhrases } from './custom-phrases.ts'
import { applyCustomizers, type RefuseScript } from './customizers.ts'
import { applyEmailTemplates } from './email-templates.ts'
import { applyHooks } from './hooks.ts'
import { applyIdTokenSettings } from './id-token-settings.ts'
import type { Change, CreatedApplication, Journal } from './journal.ts'
import { applyOrganizationTemplate } from './organization-template.ts'
import { applyProfileFields } from './profile-fields.ts'
import { applyResources } from './resources.ts'
import { applyRoles } from './roles.ts'
import { applySamlApplications } from './saml-applications.ts'
import { applySecuritySettings } from './security-settings.ts'
import { applyConnectors, applySettings } from './settings.ts'
import { applySsoConnectors } from './sso-connectors.ts'

export interface Applied {
  readonly changes: readonly Change[]
  /** The created applications, with their secrets. */
  readonly applications: readonly CreatedApplication[]
}

/** Thrown by a dry run, so that its changes are rolled back. */
export class DryRun extends Error {
  readonly applied: Applied
  constructor(applied: Applied) {
    super('A dry run keeps nothing')
    this.applied = applied
  }
}

export interface ApplyOptions {
  readonly declaration: Declaration
  /** Deletes what a section of the file does not name. */
  readonly prune: boolean
  readonly isDry: boolean
  readonly refuseScript: RefuseScript
}

const EVENTS = [
  'Scope.Created',
  'Scope.Data.Updated',
  'Scope.Deleted',
  'Role.Created',
  'Role.Data.Updated',
  'Role.Scopes.Updated',
  'Role.Deleted',
  'OrganizationScope.Created',
  'OrganizationScope.Data.Updated',
  'OrganizationScope.Deleted',
  'OrganizationRole.Created',
  'OrganizationRole.Data.Updated',
  'OrganizationRole.Scopes.Updated',
  'OrganizationRole.Deleted',
  'Organization.Membership.Updated',
] as const

/** Concurrent runs take turns: each compares with the result of the other. */
const lockTenant = ({ tx, tenant }: Unit) =>
  tx.selectFrom('tenants').select('id').where('id', '=', tenant.id).forNoKeyUpdate().execute()

/**
 * Brings the tenant to the state of the declaration. What already matches is not touched, and causes no event. A name
 * is looked up in the state after the preceding sections were applied. Throws Fault, DryRun.
 */
export const applyDeclaration: Operation<(typeof EVENTS)[number], [ApplyOptions], Applied> = operation(
  EVENTS,
  async (unit, { declaration, prune, isDry, refuseScript }) => {
    const journal: Journal = { changes: [], applications: [], prune }
    const { resources, roles, applications, organizationTemplate, connectors, signInExperience } = declaration
    const {
      administratorRoles,
      samlApplications,
      ssoConnectors,
      emailTemplates,
      customProfileFields,
      customPhrases,
      captchaProvider,
      accountCenter,
      security,
      clientRegistration,
      clientDocuments,
      idToken,
      hooks,
      jwtCustomizers,
    } = declaration
    await lockTenant(unit)
    if (resources) await applyResources(unit, journal, resources)
    if (roles) await applyRoles(unit, journal, roles)
    // a profile ends before applications come that do not keep to it, and begins after all have come to keep to it
    if (security?.profile === 'none') await applySecuritySettings(unit, journal, security)
    if (applications) await applyApplications(unit, journal, applications)
    if (security && security.profile !== 'none') await applySecuritySettings(unit, journal, security)
    if (idToken) await applyIdTokenSettings(unit, journal, idToken)
    if (clientRegistration) await applyClientRegistration(unit, journal, clientRegistration)
    if (samlApplications) await applySamlApplications(unit, journal, samlApplications)
    if (organizationTemplate) await applyOrganizationTemplate(unit, journal, organizationTemplate)
    if (clientDocuments) await applyClientDocuments(unit, journal, clientDocuments)
    if (applications) await applyApplicationAccess(unit, journal, 'applications', applications)
    if (samlApplications) await applyApplicationAccess(unit, journal, 'samlApplications', samlApplications)
    if (connectors) await applyConnectors(unit, journal, connectors)
    if (ssoConnectors) await applySsoConnectors(unit, journal, ssoConnectors)
    if (emailTemplates) await applyEmailTemplates(unit, journal, emailTemplates)
    if (customProfileFields) await applyProfileFields(unit, journal, customProfileFields)
    if (customPhrases) await applyCustomPhrases(unit, journal, customPhrases)
    if (captchaProvider !== undefined) await applyCaptchaProvider(unit, journal, captchaProvider)
    if (accountCenter) await applyAccountCenter(unit, journal, accountCenter)
    if (signInExperience) await applySettings(unit, journal, signInExperience)
    if (customPhrases) await pruneCustomPhrases(unit, journal, customPhrases)
    if (administratorRoles) await applyAdministratorRoles(unit, journal, administratorRoles)
    if (jwtCustomizers) await applyCustomizers(unit, journal, jwtCustomizers, refuseScript)
    // last, because from here on until the end no event of the tenant is numbered
    if (hooks) await applyHooks(unit, journal, hooks)
    const { changes, applications: created } = journal
    if (isDry) throw new DryRun({ changes, applications: created })
    unit.note({ changes: changes.map(({ verb, what }) => `${verb} ${what}`) })
    return { changes, applications: created }
  },
)
