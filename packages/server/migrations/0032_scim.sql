-- SCIM 2.0: directories that provision users and groups, their tokens, and what each has provisioned. The rows of a user in a
-- directory hold what it sent, the account is the user's.
CREATE TABLE scim_directories (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  name text NOT NULL,
  -- null: of the tenant
  organization_id text,
  is_enabled boolean NOT NULL DEFAULT true,
  -- the domains whose addresses it vouches for
  email_domains text[] NOT NULL DEFAULT '{}',
  links_users boolean NOT NULL DEFAULT false,
  deletes_users boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  CONSTRAINT scim_directories_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT scim_directories_organization_fkey FOREIGN KEY (tenant_id, organization_id)
    REFERENCES organizations (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX scim_directories_by_age ON scim_directories (tenant_id, created_at DESC, id DESC);
CREATE INDEX scim_directories_by_organization ON scim_directories (tenant_id, organization_id);

CREATE TABLE scim_tokens (
  tenant_id text NOT NULL,
  directory_id text NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  last_used_at timestamptz,
  CONSTRAINT scim_tokens_pkey PRIMARY KEY (tenant_id, directory_id, id),
  CONSTRAINT scim_tokens_directory_fkey FOREIGN KEY (tenant_id, directory_id)
    REFERENCES scim_directories (tenant_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX scim_tokens_hash ON scim_tokens (tenant_id, hash);

CREATE TABLE scim_users (
  tenant_id text NOT NULL,
  directory_id text NOT NULL,
  user_id text NOT NULL,
  user_name text NOT NULL,
  user_name_key text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  email_keys text[] NOT NULL,
  -- what the directory asks for; an administrator may have suspended the user besides
  is_active boolean NOT NULL,
  -- whether the directory manages the account, and not only its membership
  is_owner boolean NOT NULL,
  -- deprovisioned: the directory does not see it any more, and gets the same user back when it creates it again
  is_deprovisioned boolean NOT NULL DEFAULT false,
  attributes jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT scim_users_pkey PRIMARY KEY (tenant_id, directory_id, user_id),
  CONSTRAINT scim_users_directory_fkey FOREIGN KEY (tenant_id, directory_id)
    REFERENCES scim_directories (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT scim_users_user_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX scim_users_user_name_key ON scim_users (tenant_id, directory_id, user_name_key)
  WHERE NOT is_deprovisioned;
CREATE UNIQUE INDEX scim_users_owner_key ON scim_users (tenant_id, user_id) WHERE is_owner;
CREATE INDEX scim_users_by_user ON scim_users (tenant_id, user_id);
CREATE INDEX scim_users_by_external_id ON scim_users (tenant_id, directory_id, external_id);
CREATE INDEX scim_users_by_age ON scim_users (tenant_id, directory_id, created_at, user_id) WHERE NOT is_deprovisioned;
CREATE INDEX scim_users_by_email ON scim_users USING gin (email_keys);

CREATE TABLE scim_groups (
  tenant_id text NOT NULL,
  directory_id text NOT NULL,
  id text NOT NULL,
  display_name text NOT NULL,
  display_name_key text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT scim_groups_pkey PRIMARY KEY (tenant_id, directory_id, id),
  CONSTRAINT scim_groups_directory_fkey FOREIGN KEY (tenant_id, directory_id)
    REFERENCES scim_directories (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT scim_groups_display_name_key UNIQUE (tenant_id, directory_id, display_name_key)
);
CREATE INDEX scim_groups_by_external_id ON scim_groups (tenant_id, directory_id, external_id);
CREATE INDEX scim_groups_by_age ON scim_groups (tenant_id, directory_id, created_at, id);

CREATE TABLE scim_group_members (
  tenant_id text NOT NULL,
  directory_id text NOT NULL,
  group_id text NOT NULL,
  user_id text NOT NULL,
  CONSTRAINT scim_group_members_pkey PRIMARY KEY (tenant_id, directory_id, group_id, user_id),
  CONSTRAINT scim_group_members_group_fkey FOREIGN KEY (tenant_id, directory_id, group_id)
    REFERENCES scim_groups (tenant_id, directory_id, id) ON DELETE CASCADE,
  CONSTRAINT scim_group_members_user_fkey FOREIGN KEY (tenant_id, directory_id, user_id)
    REFERENCES scim_users (tenant_id, directory_id, user_id) ON DELETE CASCADE
);
CREATE INDEX scim_group_members_by_user ON scim_group_members (tenant_id, directory_id, user_id);

-- The roles that the members of a group hold: roles of the tenant for a directory of the tenant, organization roles for one of an
-- organization.
CREATE TABLE scim_group_roles (
  tenant_id text NOT NULL,
  directory_id text NOT NULL,
  group_id text NOT NULL,
  role_id text NOT NULL,
  type text NOT NULL DEFAULT 'User',
  CONSTRAINT scim_group_roles_pkey PRIMARY KEY (tenant_id, directory_id, group_id, role_id),
  CONSTRAINT scim_group_roles_type_check CHECK (type = 'User'),
  CONSTRAINT scim_group_roles_group_fkey FOREIGN KEY (tenant_id, directory_id, group_id)
    REFERENCES scim_groups (tenant_id, directory_id, id) ON DELETE CASCADE,
  CONSTRAINT scim_group_roles_role_fkey FOREIGN KEY (tenant_id, role_id, type)
    REFERENCES roles (tenant_id, id, type) ON DELETE CASCADE
);
CREATE INDEX scim_group_roles_by_role ON scim_group_roles (tenant_id, role_id);

CREATE TABLE scim_group_organization_roles (
  tenant_id text NOT NULL,
  directory_id text NOT NULL,
  group_id text NOT NULL,
  organization_role_id text NOT NULL,
  type text NOT NULL DEFAULT 'User',
  CONSTRAINT scim_group_organization_roles_pkey PRIMARY KEY (tenant_id, directory_id, group_id, organization_role_id),
  CONSTRAINT scim_group_organization_roles_type_check CHECK (type = 'User'),
  CONSTRAINT scim_group_organization_roles_group_fkey FOREIGN KEY (tenant_id, directory_id, group_id)
    REFERENCES scim_groups (tenant_id, directory_id, id) ON DELETE CASCADE,
  CONSTRAINT scim_group_organization_roles_role_fkey FOREIGN KEY (tenant_id, organization_role_id, type)
    REFERENCES organization_roles (tenant_id, id, type) ON DELETE CASCADE
);
CREATE INDEX scim_group_organization_roles_by_role
  ON scim_group_organization_roles (tenant_id, organization_role_id);
