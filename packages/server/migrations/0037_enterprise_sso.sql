-- Enterprise single sign-on: the identity providers of companies, the domains that lead to each, and under which identities users are
-- known there.

CREATE TABLE sso_connectors (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  provider_name text NOT NULL,
  connector_name text NOT NULL,
  -- holds the client secret
  sealed_config bytea NOT NULL,
  -- whether nothing is missing in it: only then the connector is used
  is_complete boolean NOT NULL,
  branding jsonb NOT NULL,
  -- whether name and picture are taken over at every sign-in, not only at registration
  sync_profile boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT sso_connectors_name_key UNIQUE (tenant_id, connector_name)
);
CREATE INDEX sso_connectors_by_age ON sso_connectors (tenant_id, created_at DESC, id DESC);

-- Several connectors may share a domain: users then choose.
CREATE TABLE sso_connector_domains (
  tenant_id text NOT NULL,
  -- in ASCII and lower case
  domain text NOT NULL,
  connector_id text NOT NULL,
  -- where it is in the list of the connector
  position smallint NOT NULL,
  PRIMARY KEY (tenant_id, domain, connector_id),
  FOREIGN KEY (tenant_id, connector_id) REFERENCES sso_connectors (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX sso_connector_domains_by_connector ON sso_connector_domains (tenant_id, connector_id);

-- An account at an identity provider belongs to one user, who has at most one at each connector. The issuer is part of it: after
-- the connector is moved to another provider, equal ids there are others' accounts.
CREATE TABLE user_sso_identities (
  tenant_id text NOT NULL,
  id text NOT NULL,
  user_id text NOT NULL,
  connector_id text NOT NULL,
  issuer text NOT NULL,
  -- at the identity provider
  identity_id text NOT NULL,
  detail jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT user_sso_identities_identity_key UNIQUE (tenant_id, connector_id, issuer, identity_id),
  CONSTRAINT user_sso_identities_one_per_connector UNIQUE (tenant_id, user_id, connector_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, connector_id) REFERENCES sso_connectors (tenant_id, id) ON DELETE CASCADE
);

-- Whose users become members of an organization by themselves.
CREATE TABLE organization_jit_sso_connectors (
  tenant_id text NOT NULL,
  organization_id text NOT NULL,
  sso_connector_id text NOT NULL,
  PRIMARY KEY (tenant_id, organization_id, sso_connector_id),
  FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, sso_connector_id) REFERENCES sso_connectors (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX organization_jit_sso_connectors_by_connector ON organization_jit_sso_connectors (tenant_id, sso_connector_id);
