-- Sign-in at SAML identity providers: requests that are under way, assertions that were used, and the keys of connectors.

-- A request by its RelayState. The response comes as a form from another site, with which browsers send no cookies: it is kept here
-- until the browser comes again with its cookies.
CREATE TABLE saml_visits (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  -- of the RelayState
  hash bytea NOT NULL,
  connector_id text NOT NULL,
  -- where the browser goes with the response, and the form of the request if it is posted
  sealed bytea NOT NULL,
  sealed_response bytea,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, hash),
  FOREIGN KEY (tenant_id, connector_id) REFERENCES sso_connectors (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX saml_visits_by_expiry ON saml_visits (expires_at);
CREATE INDEX saml_visits_by_connector ON saml_visits (tenant_id, connector_id);

-- Each assertion is accepted once, on whatever node.
CREATE TABLE used_saml_assertions (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  -- of the identity provider and the id
  hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, hash)
);
CREATE INDEX used_saml_assertions_by_expiry ON used_saml_assertions (expires_at);

-- Requests are signed with the active one; assertions may be encrypted to any.
CREATE TABLE sso_connector_signing_keys (
  tenant_id text NOT NULL,
  id text NOT NULL,
  connector_id text NOT NULL,
  sealed_private_key bytea NOT NULL,
  -- PEM
  certificate text NOT NULL,
  is_active boolean NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, connector_id) REFERENCES sso_connectors (tenant_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX sso_connector_signing_keys_one_active ON sso_connector_signing_keys (tenant_id, connector_id) WHERE is_active;
CREATE INDEX sso_connector_signing_keys_by_connector ON sso_connector_signing_keys (tenant_id, connector_id);
