-- Tenants, API resources and permissions, roles, applications, signing keys, events, audit log.
--
-- Every row belongs to a tenant: primary and foreign keys begin with tenant_id, so that a reference from one tenant to
-- another cannot be stored. Rules that must hold whichever way a row is written are constraints here: one default API,
-- role types, and that permissions of the Management API are held by machine-to-machine roles only.

CREATE TABLE tenants (
  id text PRIMARY KEY,
  name text NOT NULL,
  base_url text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT tenants_base_url_key UNIQUE (base_url)
);

CREATE TABLE installation (
  key text PRIMARY KEY,
  value bytea NOT NULL
);

CREATE TABLE resources (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  name text NOT NULL,
  indicator text NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  is_management boolean NOT NULL DEFAULT false,
  access_token_ttl integer NOT NULL DEFAULT 3600,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT resources_indicator_key UNIQUE (tenant_id, indicator),
  CONSTRAINT resources_management_key UNIQUE (tenant_id, id, is_management),
  CONSTRAINT resources_ttl_check CHECK (access_token_ttl BETWEEN 1 AND 31536000)
);
CREATE UNIQUE INDEX resources_one_default ON resources (tenant_id) WHERE is_default;
CREATE UNIQUE INDEX resources_one_management ON resources (tenant_id) WHERE is_management;
CREATE INDEX resources_by_age ON resources (tenant_id, created_at DESC, id DESC);

CREATE TABLE scopes (
  tenant_id text NOT NULL,
  id text NOT NULL,
  resource_id text NOT NULL,
  is_management boolean NOT NULL DEFAULT false,
  name text NOT NULL,
  description text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT scopes_resource_fkey FOREIGN KEY (tenant_id, resource_id, is_management)
    REFERENCES resources (tenant_id, id, is_management) ON DELETE CASCADE,
  CONSTRAINT scopes_name_key UNIQUE (tenant_id, resource_id, name),
  CONSTRAINT scopes_management_key UNIQUE (tenant_id, id, is_management)
);
CREATE INDEX scopes_by_age ON scopes (tenant_id, resource_id, created_at DESC, id DESC);

CREATE TABLE roles (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  type text NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT roles_name_key UNIQUE (tenant_id, name),
  CONSTRAINT roles_type_key UNIQUE (tenant_id, id, type),
  CONSTRAINT roles_type_check CHECK (type IN ('User', 'MachineToMachine')),
  CONSTRAINT roles_default_check CHECK (NOT is_default OR type = 'User')
);
CREATE INDEX roles_by_age ON roles (tenant_id, created_at DESC, id DESC);

CREATE TABLE roles_scopes (
  tenant_id text NOT NULL,
  role_id text NOT NULL,
  scope_id text NOT NULL,
  role_type text NOT NULL,
  scope_is_management boolean NOT NULL,
  PRIMARY KEY (tenant_id, role_id, scope_id),
  CONSTRAINT roles_scopes_role_fkey FOREIGN KEY (tenant_id, role_id, role_type)
    REFERENCES roles (tenant_id, id, type) ON DELETE CASCADE,
  CONSTRAINT roles_scopes_scope_fkey FOREIGN KEY (tenant_id, scope_id, scope_is_management)
    REFERENCES scopes (tenant_id, id, is_management) ON DELETE CASCADE,
  CONSTRAINT roles_scopes_management_check CHECK (NOT scope_is_management OR role_type = 'MachineToMachine')
);
CREATE INDEX roles_scopes_by_scope ON roles_scopes (tenant_id, scope_id);

CREATE TABLE applications (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  name text NOT NULL,
  description text,
  type text NOT NULL,
  is_third_party boolean NOT NULL DEFAULT false,
  oidc_client_metadata jsonb NOT NULL,
  custom_client_metadata jsonb NOT NULL,
  custom_data jsonb NOT NULL DEFAULT '{}',
  -- the origins of its redirect URIs and those that it allows beside them (DECISIONS C5), kept for the look-up of one
  origins text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT applications_type_key UNIQUE (tenant_id, id, type),
  CONSTRAINT applications_type_check CHECK (type IN ('Native', 'SPA', 'Traditional', 'MachineToMachine'))
);
CREATE INDEX applications_by_origin ON applications USING gin (origins);
CREATE INDEX applications_by_age ON applications (tenant_id, created_at DESC, id DESC);

CREATE TABLE application_secrets (
  tenant_id text NOT NULL,
  application_id text NOT NULL,
  name text NOT NULL,
  hash bytea NOT NULL,
  sealed bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  CONSTRAINT application_secrets_pkey PRIMARY KEY (tenant_id, application_id, name),
  FOREIGN KEY (tenant_id, application_id) REFERENCES applications (tenant_id, id) ON DELETE CASCADE
);

CREATE TABLE applications_roles (
  tenant_id text NOT NULL,
  application_id text NOT NULL,
  role_id text NOT NULL,
  type text NOT NULL DEFAULT 'MachineToMachine',
  created_at timestamptz NOT NULL,
  CONSTRAINT applications_roles_pkey PRIMARY KEY (tenant_id, application_id, role_id),
  CONSTRAINT applications_roles_type_check CHECK (type = 'MachineToMachine'),
  CONSTRAINT applications_roles_application_fkey FOREIGN KEY (tenant_id, application_id, type)
    REFERENCES applications (tenant_id, id, type) ON DELETE CASCADE,
  CONSTRAINT applications_roles_role_fkey FOREIGN KEY (tenant_id, role_id, type)
    REFERENCES roles (tenant_id, id, type) ON DELETE CASCADE
);
CREATE INDEX applications_roles_by_role ON applications_roles (tenant_id, role_id, created_at DESC, application_id DESC);

-- The state of a key (Next, Current, Previous) follows from effective_at and the time; nothing has to switch it.
CREATE TABLE signing_keys (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  algorithm text NOT NULL,
  public_jwk jsonb NOT NULL,
  sealed_private_key bytea NOT NULL,
  created_at timestamptz NOT NULL,
  effective_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);

-- Access tokens that were revoked before they expired, until they expire (DECISIONS G5).
CREATE TABLE revoked_access_tokens (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  jti text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, jti)
);
CREATE INDEX revoked_access_tokens_by_expiry ON revoked_access_tokens (expires_at);

-- The jti of every client assertion that was used, until the assertion expires (RFC 7523 section 3, SECURITY R-5).
CREATE TABLE used_client_assertions (
  tenant_id text NOT NULL,
  application_id text NOT NULL,
  jti_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, application_id, jti_hash),
  FOREIGN KEY (tenant_id, application_id) REFERENCES applications (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX used_client_assertions_by_expiry ON used_client_assertions (expires_at);

-- Events wait in outbox, written by the transaction that causes them, until one statement at a time moves those that
-- are committed to events and numbers them: so numbers follow the order of commits and have no gaps.
CREATE TABLE outbox (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  type text NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX outbox_by_tenant ON outbox (tenant_id, position);

CREATE TABLE events (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  sequence bigint NOT NULL,
  id text NOT NULL,
  type text NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, sequence)
);
CREATE INDEX events_by_age ON events (created_at);

CREATE TABLE event_sequences (
  tenant_id text PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
  last_sequence bigint NOT NULL
);

CREATE TABLE audit_log (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  key text NOT NULL,
  user_id text,
  application_id text,
  payload jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX audit_log_by_age ON audit_log (tenant_id, created_at DESC, id DESC);
CREATE INDEX audit_log_by_key ON audit_log (tenant_id, key, created_at DESC, id DESC);
CREATE INDEX audit_log_by_application ON audit_log (tenant_id, application_id, created_at DESC, id DESC);
CREATE INDEX audit_log_by_user ON audit_log (tenant_id, user_id, created_at DESC, id DESC) WHERE user_id IS NOT NULL;
