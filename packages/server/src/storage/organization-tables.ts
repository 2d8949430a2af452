/** The tables of organizations, and of who may use an application, as Kysely sees them (migration 0005). */
import type { ColumnType, Generated } from 'kysely'

type Json<T> = ColumnType<T, string, string>
type Metadata = Record<string, unknown>

export interface OrganizationTables {
  organizations: {
    tenant_id: string
    id: string
    name: string
    description: string | null
    custom_data: Json<Metadata>
    is_mfa_required: Generated<boolean>
    is_trusted_device_allowed: Generated<boolean>
    color: Json<Metadata>
    branding: Json<Metadata>
    custom_css: string | null
    created_at: Date
  }
  organization_roles: {
    tenant_id: string
    id: string
    name: string
    description: string | null
    type: 'User' | 'MachineToMachine'
    created_at: Date
  }
  organization_scopes: { tenant_id: string; id: string; name: string; description: string | null; created_at: Date }
  organization_roles_scopes: { tenant_id: string; organization_role_id: string; organization_scope_id: string }
  organization_roles_resource_scopes: {
    tenant_id: string
    organization_role_id: string
    scope_id: string
    role_type: string
    scope_is_management: boolean
  }
  organization_users: { tenant_id: string; organization_id: string; user_id: string; created_at: Date }
  organization_applications: {
    tenant_id: string
    organization_id: string
    application_id: string
    type: Generated<string>
    created_at: Date
  }
  organization_user_roles: {
    tenant_id: string
    organization_id: string
    user_id: string
    organization_role_id: string
    type: Generated<string>
    created_at: Date
    origin: string | null
    origin_id: string | null
  }
  organization_application_roles: {
    tenant_id: string
    organization_id: string
    application_id: string
    organization_role_id: string
    type: Generated<string>
    created_at: Date
  }
  organization_invitations: {
    tenant_id: string
    id: string
    organization_id: string
    inviter_id: string | null
    invitee: string
    invitee_key: string
    accepted_user_id: string | null
    status: Generated<string>
    created_at: Date
    updated_at: Date
    expires_at: Date
  }
  organization_invitation_roles: {
    tenant_id: string
    invitation_id: string
    organization_role_id: string
    type: Generated<string>
  }
  organization_jit_email_domains: { tenant_id: string; organization_id: string; email_domain: string }
  organization_jit_roles: {
    tenant_id: string
    organization_id: string
    organization_role_id: string
    type: Generated<string>
  }
  applications_consent_organization_scopes: {
    tenant_id: string
    application_id: string
    organization_scope_id: string
  }
  applications_consent_organization_resource_scopes: { tenant_id: string; application_id: string; scope_id: string }
  applications_consent_organizations: {
    tenant_id: string
    application_id: string
    user_id: string
    organization_id: string
    created_at: Date
  }
  applications_access_users: { tenant_id: string; application_id: string; user_id: string }
  applications_access_roles: { tenant_id: string; application_id: string; role_id: string; type: Generated<string> }
  applications_access_organizations: {
    tenant_id: string
    id: string
    application_id: string
    organization_id: string
    organization_role_id: string | null
  }
}
