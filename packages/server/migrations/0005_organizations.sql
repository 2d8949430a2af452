-- Organizations: a template of roles and permissions for the whole tenant, members, invitations, just-in-time provisioning,
-- and who may use an application.
--
-- Ids of organizations have 12 characters, as those of users. Roles of a member hang on the membership: they end with it.

CREATE TABLE organizations (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  name text NOT NULL,
  description text,
  custom_data jsonb NOT NULL DEFAULT '{}',
  is_mfa_required boolean NOT NULL DEFAULT false,
  is_trusted_device_allowed boolean NOT NULL DEFAULT true,
  color jsonb NOT NULL DEFAULT '{}',
  branding jsonb NOT NULL DEFAULT '{}',
  custom_css text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX organizations_by_age ON organizations (tenant_id, created_at DESC, id DESC);
CREATE INDEX organizations_by_name ON organizations (tenant_id, lower(name) text_pattern_ops);

CREATE TABLE organization_roles (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  name text NOT NULL,
  description text,
  type text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT organization_roles_name_key UNIQUE (tenant_id, name),
  CONSTRAINT organization_roles_type_key UNIQUE (tenant_id, id, type),
  CONSTRAINT organization_roles_type_check CHECK (type IN ('User', 'MachineToMachine'))
);
CREATE INDEX organization_roles_by_age ON organization_roles (tenant_id, created_at DESC, id DESC);

CREATE TABLE organization_scopes (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  name text NOT NULL,
  description text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT organization_scopes_name_key UNIQUE (tenant_id, name)
);
CREATE INDEX organization_scopes_by_age ON organization_scopes (tenant_id, created_at DESC, id DESC);

CREATE TABLE organization_roles_scopes (
  tenant_id text NOT NULL,
  organization_role_id text NOT NULL,
  organization_scope_id text NOT NULL,
  CONSTRAINT organization_roles_scopes_pkey PRIMARY KEY (tenant_id, organization_role_id, organization_scope_id),
  CONSTRAINT organization_roles_scopes_role_fkey FOREIGN KEY (tenant_id, organization_role_id)
    REFERENCES organization_roles (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT organization_roles_scopes_scope_fkey FOREIGN KEY (tenant_id, organization_scope_id)
    REFERENCES organization_scopes (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX organization_roles_scopes_by_scope ON organization_roles_scopes (tenant_id, organization_scope_id);

-- As roles_scopes: permissions of the Management API can be held by machines only (DECISIONS B4).
CREATE TABLE organization_roles_resource_scopes (
  tenant_id text NOT NULL,
  organization_role_id text NOT NULL,
  scope_id text NOT NULL,
  role_type text NOT NULL,
  scope_is_management boolean NOT NULL,
  CONSTRAINT organization_roles_resource_scopes_pkey PRIMARY KEY (tenant_id, organization_role_id, scope_id),
  CONSTRAINT organization_roles_resource_scopes_role_fkey FOREIGN KEY (tenant_id, organization_role_id, role_type)
    REFERENCES organization_roles (tenant_id, id, type) ON DELETE CASCADE,
  CONSTRAINT organization_roles_resource_scopes_scope_fkey FOREIGN KEY (tenant_id, scope_id, scope_is_management)
    REFERENCES scopes (tenant_id, id, is_management) ON DELETE CASCADE,
  CONSTRAINT organization_roles_resource_scopes_management_check
    CHECK (NOT scope_is_management OR role_type = 'MachineToMachine')
);
CREATE INDEX organization_roles_resource_scopes_by_scope ON organization_roles_resource_scopes (tenant_id, scope_id);

CREATE TABLE organization_users (
  tenant_id text NOT NULL,
  organization_id text NOT NULL,
  user_id text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT organization_users_pkey PRIMARY KEY (tenant_id, organization_id, user_id),
  CONSTRAINT organization_users_organization_fkey FOREIGN KEY (tenant_id, organization_id)
    REFERENCES organizations (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT organization_users_user_fkey FOREIGN KEY (tenant_id, user_id)
    REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX organization_users_by_age ON organization_users (tenant_id, organization_id, created_at DESC, user_id DESC);
CREATE INDEX organization_users_by_user ON organization_users (tenant_id, user_id, created_at DESC, organization_id DESC);

CREATE TABLE organization_applications (
  tenant_id text NOT NULL,
  organization_id text NOT NULL,
  application_id text NOT NULL,
  type text NOT NULL DEFAULT 'MachineToMachine',
  created_at timestamptz NOT NULL,
  CONSTRAINT organization_applications_pkey PRIMARY KEY (tenant_id, organization_id, application_id),
  CONSTRAINT organization_applications_type_check CHECK (type = 'MachineToMachine'),
  CONSTRAINT organization_applications_organization_fkey FOREIGN KEY (tenant_id, organization_id)
    REFERENCES organizations (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT organization_applications_application_fkey FOREIGN KEY (tenant_id, application_id, type)
    REFERENCES applications (tenant_id, id, type) ON DELETE CASCADE
);
CREATE INDEX organization_applications_by_age
  ON organization_applications (tenant_id, organization_id, created_at DESC, application_id DESC);
CREATE INDEX organization_applications_by_application
  ON organization_applications (tenant_id, application_id, created_at DESC, organization_id DESC);

CREATE TABLE organization_user_roles (
  tenant_id text NOT NULL,
  organization_id text NOT NULL,
  user_id text NOT NULL,
  organization_role_id text NOT NULL,
  type text NOT NULL DEFAULT 'User',
  created_at timestamptz NOT NULL,
  CONSTRAINT organization_user_roles_pkey PRIMARY KEY (tenant_id, organization_id, user_id, organization_role_id),
  CONSTRAINT organization_user_roles_type_check CHECK (type = 'User'),
  CONSTRAINT organization_user_roles_member_fkey FOREIGN KEY (tenant_id, organization_id, user_id)
    REFERENCES organization_users (tenant_id, organization_id, user_id) ON DELETE CASCADE,
  CONSTRAINT organization_user_roles_role_fkey FOREIGN KEY (tenant_id, organization_role_id, type)
    REFERENCES organization_roles (tenant_id, id, type) ON DELETE CASCADE
);
CREATE INDEX organization_user_roles_by_role
  ON organization_user_roles (tenant_id, organization_role_id, organization_id);
CREATE INDEX organization_user_roles_by_user ON organization_user_roles (tenant_id, user_id, organization_id);

CREATE TABLE organization_application_roles (
  tenant_id text NOT NULL,
  organization_id text NOT NULL,
  application_id text NOT NULL,
  organization_role_id text NOT NULL,
  type text NOT NULL DEFAULT 'MachineToMachine',
  created_at timestamptz NOT NULL,
  CONSTRAINT organization_application_roles_pkey
    PRIMARY KEY (tenant_id, organization_id, application_id, organization_role_id),
  CONSTRAINT organization_application_roles_type_check CHECK (type = 'MachineToMachine'),
  CONSTRAINT organization_application_roles_member_fkey FOREIGN KEY (tenant_id, organization_id, application_id)
    REFERENCES organization_applications (tenant_id, organization_id, application_id) ON DELETE CASCADE,
  CONSTRAINT organization_application_roles_role_fkey FOREIGN KEY (tenant_id, organization_role_id, type)
    REFERENCES organization_roles (tenant_id, id, type) ON DELETE CASCADE
);
CREATE INDEX organization_application_roles_by_role
  ON organization_application_roles (tenant_id, organization_role_id, organization_id);

CREATE TABLE organization_invitations (
  tenant_id text NOT NULL,
  id text NOT NULL,
  organization_id text NOT NULL,
  inviter_id text,
  invitee text NOT NULL,
  invitee_key text COLLATE "C" NOT NULL,
  accepted_user_id text,
  -- Expired is not stored: a pending one whose time is over is read as expired
  status text NOT NULL DEFAULT 'Pending',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT organization_invitations_status_check CHECK (status IN ('Pending', 'Accepted', 'Revoked')),
  CONSTRAINT organization_invitations_organization_fkey FOREIGN KEY (tenant_id, organization_id)
    REFERENCES organizations (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT organization_invitations_inviter_fkey FOREIGN KEY (tenant_id, inviter_id)
    REFERENCES users (tenant_id, id) ON DELETE SET NULL (inviter_id),
  CONSTRAINT organization_invitations_user_fkey FOREIGN KEY (tenant_id, accepted_user_id)
    REFERENCES users (tenant_id, id) ON DELETE SET NULL (accepted_user_id)
);
CREATE INDEX organization_invitations_by_age ON organization_invitations (tenant_id, created_at DESC, id DESC);
CREATE INDEX organization_invitations_by_organization
  ON organization_invitations (tenant_id, organization_id, created_at DESC, id DESC);
CREATE INDEX organization_invitations_by_invitee ON organization_invitations (tenant_id, invitee_key);
CREATE INDEX organization_invitations_by_inviter
  ON organization_invitations (tenant_id, inviter_id) WHERE inviter_id IS NOT NULL;
CREATE INDEX organization_invitations_by_user
  ON organization_invitations (tenant_id, accepted_user_id) WHERE accepted_user_id IS NOT NULL;

CREATE TABLE organization_invitation_roles (
  tenant_id text NOT NULL,
  invitation_id text NOT NULL,
  organization_role_id text NOT NULL,
  type text NOT NULL DEFAULT 'User',
  CONSTRAINT organization_invitation_roles_pkey PRIMARY KEY (tenant_id, invitation_id, organization_role_id),
  CONSTRAINT organization_invitation_roles_type_check CHECK (type = 'User'),
  CONSTRAINT organization_invitation_roles_invitation_fkey FOREIGN KEY (tenant_id, invitation_id)
    REFERENCES organization_invitations (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT organization_invitation_roles_role_fkey FOREIGN KEY (tenant_id, organization_role_id, type)
    REFERENCES organization_roles (tenant_id, id, type) ON DELETE CASCADE
);
CREATE INDEX organization_invitation_roles_by_role ON organization_invitation_roles (tenant_id, organization_role_id);

-- Just-in-time provisioning (DECISIONS E5): by the domain of a verified address.
CREATE TABLE organization_jit_email_domains (
  tenant_id text NOT NULL,
  organization_id text NOT NULL,
  email_domain text COLLATE "C" NOT NULL,
  CONSTRAINT organization_jit_email_domains_pkey PRIMARY KEY (tenant_id, organization_id, email_domain),
  CONSTRAINT organization_jit_email_domains_organization_fkey FOREIGN KEY (tenant_id, organization_id)
    REFERENCES organizations (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX organization_jit_email_domains_by_domain ON organization_jit_email_domains (tenant_id, email_domain);

CREATE TABLE organization_jit_roles (
  tenant_id text NOT NULL,
  organization_id text NOT NULL,
  organization_role_id text NOT NULL,
  type text NOT NULL DEFAULT 'User',
  CONSTRAINT organization_jit_roles_pkey PRIMARY KEY (tenant_id, organization_id, organization_role_id),
  CONSTRAINT organization_jit_roles_type_check CHECK (type = 'User'),
  CONSTRAINT organization_jit_roles_organization_fkey FOREIGN KEY (tenant_id, organization_id)
    REFERENCES organizations (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT organization_jit_roles_role_fkey FOREIGN KEY (tenant_id, organization_role_id, type)
    REFERENCES organization_roles (tenant_id, id, type) ON DELETE CASCADE
);
CREATE INDEX organization_jit_roles_by_role ON organization_jit_roles (tenant_id, organization_role_id);

-- What a third-party application may ask users for within an organization, and for which organizations they agreed.
CREATE TABLE applications_consent_organization_scopes (
  tenant_id text NOT NULL,
  application_id text NOT NULL,
  organization_scope_id text NOT NULL,
  CONSTRAINT applications_consent_organization_scopes_pkey
    PRIMARY KEY (tenant_id, application_id, organization_scope_id),
  CONSTRAINT applications_consent_organization_scopes_application_fkey FOREIGN KEY (tenant_id, application_id)
    REFERENCES applications (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT applications_consent_organization_scopes_scope_fkey FOREIGN KEY (tenant_id, organization_scope_id)
    REFERENCES organization_scopes (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX applications_consent_organization_scopes_by_scope
  ON applications_consent_organization_scopes (tenant_id, organization_scope_id);

CREATE TABLE applications_consent_organization_resource_scopes (
  tenant_id text NOT NULL,
  application_id text NOT NULL,
  scope_id text NOT NULL,
  CONSTRAINT applications_consent_organization_resource_scopes_pkey PRIMARY KEY (tenant_id, application_id, scope_id),
  CONSTRAINT applications_consent_org_resource_scopes_application_fkey FOREIGN KEY (tenant_id, application_id)
    REFERENCES applications (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT applications_consent_org_resource_scopes_scope_fkey FOREIGN KEY (tenant_id, scope_id)
    REFERENCES scopes (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX applications_consent_organization_resource_scopes_by_scope
  ON applications_consent_organization_resource_scopes (tenant_id, scope_id);

CREATE TABLE applications_consent_organizations (
  tenant_id text NOT NULL,
  application_id text NOT NULL,
  user_id text NOT NULL,
  organization_id text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT applications_consent_organizations_pkey PRIMARY KEY (tenant_id, application_id, user_id, organization_id),
  CONSTRAINT applications_consent_organizations_application_fkey FOREIGN KEY (tenant_id, application_id)
    REFERENCES applications (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT applications_consent_organizations_member_fkey FOREIGN KEY (tenant_id, organization_id, user_id)
    REFERENCES organization_users (tenant_id, organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX applications_consent_organizations_by_member
  ON applications_consent_organizations (tenant_id, organization_id, user_id);

-- Who may use an application, where it says that not everybody may: any of these is enough.
ALTER TABLE applications ADD COLUMN has_access_control boolean NOT NULL DEFAULT false;
CREATE TABLE applications_access_users (
  tenant_id text NOT NULL,
  application_id text NOT NULL,
  user_id text NOT NULL,
  CONSTRAINT applications_access_users_pkey PRIMARY KEY (tenant_id, application_id, user_id),
  CONSTRAINT applications_access_users_application_fkey FOREIGN KEY (tenant_id, application_id)
    REFERENCES applications (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT applications_access_users_user_fkey FOREIGN KEY (tenant_id, user_id)
    REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX applications_access_users_by_user ON applications_access_users (tenant_id, user_id);
CREATE TABLE applications_access_roles (
  tenant_id text NOT NULL,
  application_id text NOT NULL,
  role_id text NOT NULL,
  type text NOT NULL DEFAULT 'User',
  CONSTRAINT applications_access_roles_pkey PRIMARY KEY (tenant_id, application_id, role_id),
  CONSTRAINT applications_access_roles_type_check CHECK (type = 'User'),
  CONSTRAINT applications_access_roles_application_fkey FOREIGN KEY (tenant_id, application_id)
    REFERENCES applications (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT applications_access_roles_role_fkey FOREIGN KEY (tenant_id, role_id, type)
    REFERENCES roles (tenant_id, id, type) ON DELETE CASCADE
);
CREATE INDEX applications_access_roles_by_role ON applications_access_roles (tenant_id, role_id);
-- organization_role_id null: every member
CREATE TABLE applications_access_organizations (
  tenant_id text NOT NULL,
  id text NOT NULL,
  application_id text NOT NULL,
  organization_id text NOT NULL,
  organization_role_id text,
  CONSTRAINT applications_access_organizations_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT applications_access_organizations_key
    UNIQUE NULLS NOT DISTINCT (tenant_id, application_id, organization_id, organization_role_id),
  CONSTRAINT applications_access_organizations_application_fkey FOREIGN KEY (tenant_id, application_id)
    REFERENCES applications (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT applications_access_organizations_organization_fkey FOREIGN KEY (tenant_id, organization_id)
    REFERENCES organizations (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT applications_access_organizations_role_fkey FOREIGN KEY (tenant_id, organization_role_id)
    REFERENCES organization_roles (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX applications_access_organizations_by_organization
  ON applications_access_organizations (tenant_id, organization_id);
CREATE INDEX applications_access_organizations_by_role
  ON applications_access_organizations (tenant_id, organization_role_id) WHERE organization_role_id IS NOT NULL;
